//! A part of a clip, its mirror image, and repetitions.

use super::LONGEST_CLIP;
use super::clip::Clip;
use super::looped::looped;
use super::mirror::mirrored;
use super::track::at;
use crate::cli::Failure;
use crate::model::Model;
use std::path::Path;

/// What is made of a clip before it is followed.
#[derive(Debug, clap::Args)]
pub(crate) struct Edit {
    /// With --track: leave out what is after this time of the clip, s
    #[arg(long, visible_alias = "to", value_name = "TIME", requires = "track")]
    until: Option<f64>,
    /// With --track: exchange left and right
    #[arg(long, requires = "track")]
    mirror: bool,
    /// With --track: the clip so many times, each beginning where the one before ends; the pose goes over within 0.3 s
    #[arg(long = "loop", value_name = "N", default_value_t = 1, requires = "track")]
    rounds: u32,
}

/// Shortest part of a clip, s.
const SHORTEST: f64 = 0.1;

impl Edit {
    /// Whether left and right are exchanged.
    pub(crate) fn mirrors(&self) -> bool {
        self.mirror
    }

    /// Beginning and end of the part that starts at `from`, s.
    pub(crate) fn part(&self, from: Option<f64>, clip: &Clip) -> [f64; 2] {
        [from.unwrap_or(0.0), self.until.unwrap_or(clip.lasts())]
    }

    /// The part that starts at `from`, mirrored and repeated as requested by the options.
    pub(crate) fn of(
        &self,
        clip: &Clip,
        from: Option<f64>,
        model: &Model,
        file: &Path,
    ) -> Result<Clip, Failure> {
        let clip = match (from, self.until) {
            (None, None) => clip.clone(),
            (from, until) => part(clip, from, until, model, file)?,
        };
        let clip = if self.mirror { mirrored(&clip, model)? } else { clip };
        match self.rounds {
            0 => Err(Failure::usage("--loop 0: a clip is followed once or more")),
            1 => Ok(clip),
            rounds if clip.lasts() < SHORTEST => {
                let lasts = clip.lasts();
                let text = format!("--loop {rounds}: the clip lasts {lasts:.2} s, less than {SHORTEST} s");
                Err(Failure::usage(text))
            }
            rounds if f64::from(rounds) * clip.lasts() > LONGEST_CLIP => {
                let text = format!(
                    "--loop {rounds}: {rounds} × {:.2} s is more than {LONGEST_CLIP} s",
                    clip.lasts()
                );
                Err(Failure::usage(text))
            }
            rounds => looped(&clip, rounds, model),
        }
    }

    /// The options as given.
    pub(crate) fn written(&self, from: Option<f64>) -> String {
        let from = from.map(|from| format!(" --from {from}")).unwrap_or_default();
        let until = self.until.map(|until| format!(" --until {until}")).unwrap_or_default();
        let mirror = if self.mirror { " --mirror" } else { "" };
        let rounds = if self.rounds > 1 { format!(" --loop {}", self.rounds) } else { String::new() };
        from + &until + mirror + &rounds
    }
}

/// The part of the clip between two times.
fn part(
    clip: &Clip,
    from: Option<f64>,
    until: Option<f64>,
    model: &Model,
    file: &Path,
) -> Result<Clip, Failure> {
    let end = clip.lasts();
    let (begins, ends) = (from.unwrap_or(0.0), until.unwrap_or(end));
    // Within round-off, a time beyond the end is the end.
    let slack = 1e-6 * end.max(1.0);
    for (name, time) in [("--from", from), ("--until", until)] {
        if let Some(time) = time.filter(|time| !(-slack..=end + slack).contains(time)) {
            let text = format!("{name} {time}: the clip {} is from 0 to {end:.2} s", file.display());
            return Err(Failure::usage(text));
        }
    }
    if ends - begins < SHORTEST {
        let text = format!("from {begins} to {ends} s: a part of a clip lasts {SHORTEST} s or more");
        return Err(Failure::usage(text));
    }
    let ends = ends.min(end);
    let within = |index: &usize| clip.times[*index] > begins + slack && clip.times[*index] < ends - slack;
    let inner: Vec<usize> = (0..clip.times.len()).filter(within).collect();
    let mut times = vec![0.0];
    times.extend(inner.iter().map(|index| clip.times[*index] - begins));
    times.push(ends - begins);
    let mut frames = vec![at(clip, begins, model)];
    frames.extend(inner.iter().map(|index| clip.frames[*index].clone()));
    frames.push(at(clip, ends, model));
    Ok(Clip { times, frames, joints: clip.joints.clone(), has_root: clip.has_root })
}
