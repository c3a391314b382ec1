//! What a page can ask for.

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
    /// What is wrong with the text of a controller, for the body of the scene.
    Check(ControllerSource),
    /// Has the text of a controller take over. The answer describes the controller.
    Replace(ControllerSource),
    /// Sets a number of the controller's parameters.
    Set(SetParameter),
    /// Sets a command of the controller.
    Command(CommandRequest),
    /// Pushes for a time.
    Push(PushRequest),
    /// Pulls with a damped spring until `release`.
    Pull(PullRequest),
    /// Pushes with a constant force until another one; zero ends it.
    Press(PressRequest),
    /// Ends what `pull` began.
    Release,
    /// Throws a ball.
    Throw(ThrowRequest),
    /// Describes the controller at present.
    Controller,
    /// Describes the passive objects at present.
    Objects,
    /// State, conditions, roles and commands at present.
    Mind,
    /// What each newton of the contact forces in the next frame is for.
    Forces,
    /// For how long the first character stands after a push or with another value of a parameter. The session stays
    /// as it is. The answer is the time after which it falls, s; `null` if it stands to the end.
    Future(FutureRequest),
    /// Keeps all that changes. The answer is its number.
    Keep,
    /// Goes back to what was kept.
    Restore(usize),
    /// Forgets what was kept.
    Forget(usize),
}

/// A scene by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// Name of a shipped scene.
    pub scene: String,
    /// Text of the controller of its first character; that of the scene if there is none.
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
    /// Its name; of a vector with `.x`, `.y` or `.z`.
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

/// What is pushed or pulled, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum HandTarget {
    /// A character and its body.
    Body(usize, usize),
    /// A passive object and its part.
    Part(usize, usize),
}

/// A force for a time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushRequest {
    /// What is pushed, at its centre of mass.
    pub target: HandTarget,
    /// World axes, N.
    pub force: [f64; 3],
    /// s
    pub duration: f64,
}

/// A future of the present moment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FutureRequest {
    /// How far to look ahead, s.
    pub seconds: f64,
    /// A push, if there is one.
    pub push: Option<PushRequest>,
    /// A parameter's value, if it is another one.
    pub set: Option<SetParameter>,
}

/// A damped spring to a point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PullRequest {
    /// What is pulled.
    pub target: HandTarget,
    /// Where the spring is attached, in the frame of the target, m.
    pub local: [f64; 3],
    /// The other end of the spring, world axes, m.
    pub anchor: [f64; 3],
    /// N/m
    pub stiffness: f64,
    /// N s/m
    pub damping: f64,
}

/// A force without end.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressRequest {
    /// What is pushed, at its centre of mass.
    pub target: HandTarget,
    /// World axes, N.
    pub force: [f64; 3],
}

/// A ball.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThrowRequest {
    /// kg
    pub mass: f64,
    /// m
    pub radius: f64,
    /// Position of its centre, world axes, m.
    pub position: [f64; 3],
    /// World axes, m/s.
    pub velocity: [f64; 3],
}
