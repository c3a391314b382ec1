//! Stiff articulated chains against dense algebra, other engines and closed forms.

mod behaviour;
mod factor;
mod links;
mod reference;
mod refusals;
mod skeletons;
