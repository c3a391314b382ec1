//! Stiff articulated chains compared with dense algebra, other engines and closed forms.

mod behaviour;
mod factor;
mod links;
mod reference;
mod refusals;
mod skeletons;
