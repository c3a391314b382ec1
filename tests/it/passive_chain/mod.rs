//! Stiff articulated chains against dense algebra, other engines and closed forms.

mod factor;
