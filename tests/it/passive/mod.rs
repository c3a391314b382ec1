//! Passive objects, compared with closed forms and with numbers from other engines.

mod by_code;
mod carried;
mod checkpoint;
mod constraints;
mod contact;
mod doors;
mod doors_events;
mod dry_friction;
mod encounters;
mod energy;
mod follow;
mod friction;
mod handover;
mod motion;
mod ragdoll;
mod reference;
mod scene;
