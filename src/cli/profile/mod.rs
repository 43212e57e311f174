//! `shikou profile`: how fast playouts and searchers are, and where their time goes.

mod arguments;

use std::path::Path as File;

use serde::Serialize;

pub(super) use self::arguments::ProfileArguments;

use super::failure::Failure;
use super::output::{print, print_json, tell};
use crate::experiment::HostFacts;
use crate::game::Path;
use crate::game::options::Invalid;
use crate::players::{Registry, SearcherKind};
use crate::profile::{
    COMMAND, Comparison, NoProfile, PlayoutsProfile, Profile, SCHEMA, SearchersProfile, Settings,
    compared_document, document, parse, written,
};

#[derive(Serialize)]
struct Content<'p> {
    profile: &'p Profile,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'p Comparison>,
}

pub(super) fn profile(registry: &Registry, arguments: &ProfileArguments) -> Result<(), Failure> {
    let game = registry.game(&arguments.game, &arguments.options)?;
    let paths = arguments.path.iter().map(|name| Path::named(name.trim()));
    let paths = paths.collect::<Result<Vec<Path>, Invalid>>()?;
    let workload = game
        .workload(&arguments.policy, &arguments.position)
        .map_err(|reason| Failure::Usage(reason.to_string()))?;
    let settings = Settings { seconds: arguments.seconds, repeats: arguments.repeats };
    let mut profile = Profile::begin(&*game, arguments.policy.trim(), &*workload, settings);
    let then = arguments.compare.as_deref().map(|file| read(file, &profile)).transpose()?;
    PlayoutsProfile::check(&*workload, &paths).map_err(|reason| refused(&reason))?;
    if let Some(file) = &arguments.save {
        check_folder(file)?;
    }
    if cfg!(debug_assertions) || !HostFacts::is_optimised() {
        return Err(Failure::Usage(
            "this build checks itself while it runs, and its times mean nothing; use a release build: `cargo run --release -- profile …`".into(),
        ));
    }
    if arguments.searchers {
        let (kinds, policy) = (&SearcherKind::ALL, profile.policy.as_str());
        let found = SearchersProfile::measure(&*workload, kinds, policy, arguments.budget, &settings)?;
        profile.searchers = Some(found);
    } else {
        let threads = if arguments.threads.is_empty() { one_and_all() } else { arguments.threads.clone() };
        let found = PlayoutsProfile::measure(&*workload, &paths, &arguments.batch, &threads, &settings);
        profile.playouts = Some(found.map_err(|reason| refused(&reason))?);
    }
    let comparison = then.as_ref().map(|then| Comparison::new(then, &profile)).transpose();
    let comparison = comparison.map_err(|reason| Failure::Usage(reason.to_string()))?;
    if arguments.json {
        print_json(COMMAND, SCHEMA, Content { profile: &profile, comparison: comparison.as_ref() })?;
    } else {
        print(document(&profile))?;
        if let (Some(comparison), Some(file)) = (&comparison, &arguments.compare) {
            print(format!("\n{}", compared_document(comparison, &file.display().to_string())))?;
        }
    }
    match &arguments.save {
        Some(file) => std::fs::write(file, written(&profile) + "\n")
            .map_err(|error| Failure::system(file.display(), &error)),
        None => Ok(()),
    }
}

/// One thread, and as many as the machine runs at once.
fn one_and_all() -> Vec<u32> {
    let all = std::thread::available_parallelism().map_or(1, usize::from) as u32;
    if all == 1 { vec![1] } else { vec![1, all] }
}

/// The earlier profile in a file: one of what is to be measured now.
fn read(file: &File, now: &Profile) -> Result<Profile, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        let next = "`shikou profile GAME --save FILE` writes a profile";
        Failure::System(format!("{}: {error}; {next}", file.display()))
    })?;
    let then = parse(file, &text).map_err(|error| Failure::Usage(error.to_string()))?;
    Comparison::check(&then, now).map_err(|reason| Failure::Usage(reason.to_string()))?;
    Ok(then)
}

/// That a file can be written there is better known before all is measured.
fn check_folder(file: &File) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::System(format!("{} is no folder; make it, or save elsewhere", folder.display())))
        }
        _ => Ok(()),
    }
}

fn refused(reason: &NoProfile) -> Failure {
    match reason {
        NoProfile::Differs { .. } => {
            tell(reason);
            Failure::Check
        }
        NoProfile::NoPath { .. } => Failure::Usage(reason.to_string()),
    }
}
