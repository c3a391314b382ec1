//! Key bindings and their list.

use super::app::App;
use super::panel;
use crate::engine::EngineCommand;
use crate::session::SessionAction;
use aplomb::controller::CommandValue;
use eframe::egui::{self, Context, Key};

/// A key, its name, and its action.
struct Binding {
    key: Key,
    name: &'static str,
    about: &'static str,
    act: fn(&mut App),
}

/// Factor by which a key changes the speed.
const FASTER: f64 = 2.0;

/// Share of a command's range for a held key.
const SHARE: f64 = 0.75;

/// Sideways speed for a held key, m/s.
const SIDE: f64 = 0.2;

/// Width of the list, points.
const LIST: f32 = 520.0;

/// All keys, in the order of the list.
const BINDINGS: [Binding; 19] = [
    Binding { key: Key::Space, name: "Space", about: "run or pause", act: run_or_pause },
    Binding {
        key: Key::ArrowRight,
        name: "Right",
        about: "pause; one frame on",
        act: |app| app.engine.tell(EngineCommand::Step(1)),
    },
    Binding {
        key: Key::ArrowLeft,
        name: "Left",
        about: "pause; one frame back",
        act: |app| app.engine.tell(EngineCommand::Step(-1)),
    },
    Binding {
        key: Key::PageDown,
        name: "Page down",
        about: "pause; ten frames on",
        act: |app| app.engine.tell(EngineCommand::Step(10)),
    },
    Binding {
        key: Key::PageUp,
        name: "Page up",
        about: "pause; ten frames back",
        act: |app| app.engine.tell(EngineCommand::Step(-10)),
    },
    Binding {
        key: Key::Backspace,
        name: "Backspace",
        about: "begin anew",
        act: |app| app.engine.tell(EngineCommand::Reset),
    },
    Binding {
        key: Key::B,
        name: "B",
        about: "branch: forget what comes after this frame",
        act: |app| app.engine.tell(EngineCommand::Branch),
    },
    Binding {
        key: Key::T,
        name: "T",
        about: "throw a ball to where the mouse points",
        act: panel::throw::throw,
    },
    Binding {
        key: Key::R,
        name: "R",
        about: "read the files again here",
        act: |app| app.engine.tell(EngineCommand::Reload),
    },
    Binding {
        key: Key::W,
        name: "W",
        about: "write what was set by hand into the controller's file; then Enter",
        act: |app| app.engine.tell(EngineCommand::OfferWriteBack),
    },
    Binding { key: Key::P, name: "P", about: "push, as the panel says", act: panel::push::push },
    Binding {
        key: Key::Minus,
        name: "-",
        about: "half as fast",
        act: |app| app.engine.tell(EngineCommand::Speed(app.news.speed / FASTER)),
    },
    Binding {
        key: Key::Equals,
        name: "=",
        about: "twice as fast",
        act: |app| app.engine.tell(EngineCommand::Speed(app.news.speed * FASTER)),
    },
    Binding {
        key: Key::F,
        name: "F",
        about: "follow, or stay",
        act: |app| app.is_following = !app.is_following,
    },
    Binding { key: Key::Num1, name: "1", about: "look from the side", act: |app| app.camera.side() },
    Binding { key: Key::Num2, name: "2", about: "look from the front", act: |app| app.camera.front() },
    Binding { key: Key::A, name: "A", about: "look at the middle of it all", act: look_at_all },
    Binding { key: Key::Escape, name: "Escape", about: "select nothing", act: |app| app.select(None) },
    Binding {
        key: Key::F1,
        name: "F1",
        about: "show or hide this list",
        act: |app| app.has_help = !app.has_help,
    },
];

/// The mouse gestures, for the list.
const GESTURES: [(&str, &str); 13] = [
    (
        "W S, A D, Q E held",
        "walk ahead and back, turn, go aside: while a controller with these commands runs",
    ),
    ("Arrows held", "the same: ahead and back, turn"),
    ("I K, J L, U O held", "the same, also while it pauses"),
    ("Left drag", "turn around it"),
    ("Right drag", "move"),
    ("Wheel", "nearer, farther"),
    ("Double click", "select a body or an object"),
    ("Right double click", "look at that point"),
    ("Ctrl + right drag", "pull what is selected, or what is there, by a spring"),
    ("Ctrl + right drag of a violet ball", "move the target of that objective"),
    ("Ctrl + Shift + right drag", "pull level with the ground"),
    ("Drag the time bar", "any moment that was"),
    ("Ctrl + S", "save what was done as a scene"),
];

/// Handles keys, unless a text field has the focus.
pub fn handle(app: &mut App, context: &Context) {
    if context.text_edit_focused() {
        return;
    }
    if app.news.write_back.is_some() {
        for (key, is_wanted) in [(Key::Enter, true), (Key::Escape, false)] {
            if context.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key)) {
                app.engine.tell(EngineCommand::WriteBack(is_wanted));
            }
        }
    }
    if context.input_mut(|input| input.consume_key(egui::Modifiers::CTRL, Key::S)) {
        app.engine.tell(EngineCommand::Save);
    }
    drive(app, context);
    for binding in &BINDINGS {
        let presses =
            context.input_mut(|input| input.count_and_consume_key(egui::Modifiers::NONE, binding.key));
        (0..presses).for_each(|_| (binding.act)(app));
    }
}

/// The keys that walk ahead, back, to the left, to the right, and turn left and right.
const WALKING: [[Key; 6]; 2] =
    [[Key::I, Key::K, Key::U, Key::O, Key::J, Key::L], [Key::W, Key::S, Key::Q, Key::E, Key::A, Key::D]];
/// The arrows that walk ahead and back and turn.
const ARROWS: [Key; 4] = [Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];

/// Sets the commands of a walking character while keys are held, to a moderate share of their range. While it runs
/// with such commands, the keys of games walk, whatever else they mean.
fn drive(app: &mut App, context: &Context) {
    let is_walking = |name: &str| matches!(name, "walk_velocity" | "turn");
    let walks = app.news.is_running && app.news.commands.iter().any(|command| is_walking(&command.name));
    let sets = if walks { &WALKING[..] } else { &WALKING[..1] };
    let [mut ahead, mut aside, mut turn] = [0.0; 3];
    context.input_mut(|input| {
        let mut held = |key: Key| {
            if walks {
                // Not for the binding of that key.
                input.count_and_consume_key(egui::Modifiers::NONE, key);
            }
            f64::from(u8::from(input.key_down(key)))
        };
        for &[front, back, left, right, turn_left, turn_right] in sets {
            ahead += held(front) - held(back);
            aside += held(left) - held(right);
            turn += held(turn_left) - held(turn_right);
        }
        if walks {
            let [up, down, left, right] = ARROWS.map(held);
            (ahead, turn) = (ahead + up - down, turn + left - right);
        }
    });
    let wanted = [ahead, aside, turn].map(|way: f64| way.clamp(-1.0, 1.0));
    if wanted == app.driven {
        return;
    }
    app.driven = wanted;
    let [ahead, aside, turn] = wanted;
    for command in app.news.commands.clone() {
        let reach = |way: f64| {
            let end = if way < 0.0 { -command.range[0] } else { command.range[1] };
            if end.is_finite() { end } else { 1.0 }
        };
        let value = match (&*command.name, command.now) {
            ("walk_velocity", CommandValue::Vector(_)) => {
                CommandValue::Vector([SHARE * ahead * reach(ahead), SIDE * aside, 0.0])
            }
            ("turn", CommandValue::Number(_)) => CommandValue::Number(SHARE * turn * reach(turn)),
            _ => continue,
        };
        app.act(SessionAction::Command { name: command.name.to_string(), value });
    }
}

/// Shows the list.
pub fn help(app: &mut App, context: &Context) {
    let mut is_open = app.has_help;
    egui::Window::new("Keys and gestures").open(&mut is_open).collapsible(false).resizable(false).show(
        context,
        |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            ui.set_min_width(LIST);
            egui::Grid::new("keys").num_columns(2).striped(true).show(ui, |ui| {
                let keys = BINDINGS.iter().map(|binding| (binding.name, binding.about));
                for (name, about) in GESTURES.into_iter().chain(keys) {
                    ui.strong(name);
                    ui.label(about);
                    ui.end_row();
                }
            });
        },
    );
    app.has_help = is_open;
}

/// Runs or pauses.
pub fn run_or_pause(app: &mut App) {
    app.engine.tell(EngineCommand::Run(!app.news.is_running));
}

fn look_at_all(app: &mut App) {
    app.camera.target = app.picture.focus;
    app.camera.distance = app.stage.distance();
}
