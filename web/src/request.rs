//! Requests of a page.

use serde::Deserialize;

/// A request. As JSON: the name of a request without values (`"mind"`), else `{"name": {…}}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Names and titles of the shipped scenes.
    Scenes,
    /// Opens a scene, in place of the one that is open. The answer describes it.
    Open(OpenRequest),
    /// The text of a shipped controller.
    Text(ControllerName),
    /// Checks the text of a controller for the body of the scene. The answer lists the findings.
    Check(ControllerSource),
    /// Replaces the controller by that of a text. The answer describes the controller.
    Replace(ControllerSource),
    /// Sets a parameter of the controller, or a component of one.
    Set(SetParameter),
    /// Sets a command of the controller.
    Command(CommandRequest),
    /// Pushes with a constant force for a duration.
    Push(PushRequest),
    /// Pulls with a damped spring until `release`.
    Pull(PullRequest),
    /// Pushes with a constant force until the next `press`; zero ends it.
    Press(PressRequest),
    /// Ends the pull.
    Release,
    /// Throws a ball.
    Throw(ThrowRequest),
    /// Describes the current controller.
    Controller,
    /// Describes the current passive objects.
    Objects,
    /// Current state, conditions, bindings and commands of the controller.
    Mind,
    /// Provenance of the contact forces in the next frame.
    Forces,
    /// Predicts how long the first character stands after a push or with another parameter value. The session is not
    /// changed. The answer is the time at which it falls, s from now; `null` if it stands to the end.
    Future(FutureRequest),
    /// Saves everything that changes. The answer is the number of the checkpoint.
    Keep,
    /// Restores the checkpoint with this number.
    Restore(usize),
    /// Deletes the checkpoint with this number.
    Forget(usize),
}

/// A scene by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// Name of a shipped scene.
    pub scene: String,
    /// Text of the controller of its first character; default: that of the scene.
    pub controller: Option<String>,
    /// `PATH=VALUE` overrides.
    #[serde(default)]
    pub overrides: Vec<String>,
}

/// Name of a shipped controller.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerName {
    /// The name.
    pub name: String,
}

/// Text of a controller.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerSource {
    /// The text.
    pub text: String,
}

/// A parameter and its value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetParameter {
    /// Its name, with `.x`, `.y` or `.z` for a component of a vector.
    pub name: String,
    /// Its value.
    pub value: f64,
}

/// A command and its value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandRequest {
    /// Its name.
    pub name: String,
    /// One number, or three.
    pub value: Vec<f64>,
}

/// Target of a push or a pull, by indices.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum HandTarget {
    /// A character and its body.
    Body(usize, usize),
    /// A passive object and its part.
    Part(usize, usize),
}

/// A constant force for a duration.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushRequest {
    /// Target, pushed at a body's centre of mass or a part's origin.
    pub target: HandTarget,
    /// Force in world axes, N.
    pub force: [f64; 3],
    /// Duration, s.
    pub duration: f64,
}

/// A future of the current state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FutureRequest {
    /// Prediction time, s.
    pub seconds: f64,
    /// Push at its start, if any.
    pub push: Option<PushRequest>,
    /// Changed parameter value, if any.
    pub set: Option<SetParameter>,
}

/// A damped spring to a point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PullRequest {
    /// Target of the pull.
    pub target: HandTarget,
    /// Attachment point in the frame of the target, m.
    pub local: [f64; 3],
    /// Position of the other end, world axes, m.
    pub anchor: [f64; 3],
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N s/m.
    pub damping: f64,
}

/// A constant force without an end.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressRequest {
    /// Target, pushed at a body's centre of mass or a part's origin.
    pub target: HandTarget,
    /// Force in world axes, N.
    pub force: [f64; 3],
}

/// A ball.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThrowRequest {
    /// Mass, kg.
    pub mass: f64,
    /// Radius, m.
    pub radius: f64,
    /// Position of its centre, world axes, m.
    pub position: [f64; 3],
    /// Velocity in world axes, m/s.
    pub velocity: [f64; 3],
}
