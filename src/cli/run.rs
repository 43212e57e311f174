//! `shikou run`: a manifest in, results and a report out.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::arguments::RunArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use super::progress::Progress;
use crate::experiment::{
    Canonical, Comparison, HostFacts, LogWriter, Manifest, PLAYER_THREAD, Plan, Sink, Summary, Times,
    read_log, run as run_plan,
};
use crate::players::Registry;
use crate::report::run_report;

/// The log, which is the truth; everything else in the folder is derived from it.
const LOG: &str = "trials.csv";

const SCHEMA: u32 = 1;

/// What `--json` prints. The summary says the version of its own shape.
#[derive(Serialize)]
struct Content<'s> {
    summary: &'s Summary,
}

pub(super) fn run(registry: &Registry, arguments: &RunArguments) -> Result<(), Failure> {
    let mut manifest = Manifest::read(&arguments.manifest, registry)?;
    if arguments.smoke {
        manifest.reduce_to_smoke();
    }
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    if !HostFacts::is_optimised() {
        eprintln!("warning: this is a debug build; its times mean nothing. Use `cargo run --release`");
    }
    let folder = Folder::open(arguments)?;
    let plan = Plan::new(&manifest);
    let log = folder.path.join(LOG);
    let mut writer =
        LogWriter::create(&log, &plan).map_err(|error| Failure::system(log.display(), &error))?;
    let mut times = Times::new(&plan);
    let mut progress = (!arguments.quiet).then(|| Progress::new(plan.len()));
    let ended = {
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut writer, &mut times];
        if let Some(progress) = &mut progress {
            sinks.push(progress);
        }
        let _quiet = SilentPanics::begin();
        run_plan(&plan, threads, &mut sinks)
    };
    if let Some(progress) = progress {
        progress.finish();
    }
    ended.map_err(|error| Failure::system(log.display(), &error))?;

    let records = read_log(&log, &plan).map_err(|error| Failure::System(error.to_string()))?;
    let summary = Summary::new(&plan, &records);
    let canonical = Canonical::new(&plan, &records);
    let report = run_report(&summary, &times);
    folder.write("canonical.csv", &canonical.csv)?;
    folder.write("digests.csv", canonical.digests_csv())?;
    folder.write("manifest.toml", &manifest.text)?;
    folder
        .write("summary.json", serde_json::to_string_pretty(&summary).expect("a summary is JSON") + "\n")?;
    folder.write("report.txt", format!("{report}\n"))?;
    folder.write("host.toml", toml::to_string(&HostFacts::gather(threads)).expect("host facts are TOML"))?;

    let comparison = match folder.reference {
        Some(reference) => canonical.compare(&reference),
        None => Comparison::NoReference,
    };
    if arguments.json {
        print_json("run", SCHEMA, Content { summary: &summary })?;
    } else if !arguments.quiet {
        print(format!("{report}\n"))?;
        if !arguments.smoke {
            print(format!("results in {}", folder.path.display()))?;
        }
    }
    let last = format!("digest {} {}", canonical.digest(), comparison.words());
    // JSON on standard output stays JSON.
    if arguments.json {
        eprintln!("{last}");
    } else {
        print(last)?;
    }
    if arguments.smoke {
        // It was a trial run: nothing is kept.
        let _ = fs::remove_dir_all(&folder.path);
    }
    match (summary.failed_games(), comparison) {
        (1.., _) => Err(Failure::Trials),
        (0, Comparison::Reproduces) => Ok(()),
        (0, _) if arguments.check => Err(Failure::Check),
        (0, _) => Ok(()),
    }
}

/// The folder that a run writes to, and the reference that it is compared with.
struct Folder {
    path: PathBuf,
    reference: Option<PathBuf>,
}

impl Folder {
    /// Makes the folder, and moves the log of an earlier run aside.
    fn open(arguments: &RunArguments) -> Result<Self, Failure> {
        let stem = arguments.manifest.file_stem().unwrap_or_default();
        if arguments.smoke {
            let path = std::env::temp_dir().join(format!("shikou-smoke-{}", std::process::id()));
            fs::create_dir_all(&path).map_err(|error| Failure::system(path.display(), &error))?;
            return Ok(Self { path, reference: None });
        }
        let path = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(stem));
        fs::create_dir_all(&path).map_err(|error| Failure::system(path.display(), &error))?;
        let entries = fs::read_dir(&path).map_err(|error| Failure::system(path.display(), &error))?;
        let log = path.join(LOG);
        if log.exists() {
            let aside = path.join("trials.previous.csv");
            fs::rename(&log, &aside).map_err(|error| Failure::system(aside.display(), &error))?;
        } else if let Some(foreign) = entries.flatten().next() {
            let message = format!(
                "{} holds {} and no log of Shikou's; name an empty folder with --out",
                path.display(),
                foreign.file_name().display(),
            );
            return Err(Failure::Usage(message));
        }
        Ok(Self { path, reference: Some(Path::new("results").join("reference").join(stem)) })
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), Failure> {
        let path = self.path.join(name);
        fs::write(&path, content).map_err(|error| Failure::system(path.display(), &error))
    }
}

/// While it lives, panics of trials print nothing: they stand in their rows. All others print as ever.
struct SilentPanics;

impl SilentPanics {
    fn begin() -> Self {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let playing = std::thread::current().name().is_some_and(|name| name.starts_with(PLAYER_THREAD));
            if !playing {
                usual(info);
            }
        }));
        Self
    }
}

impl Drop for SilentPanics {
    fn drop(&mut self) {
        let _ = std::panic::take_hook();
    }
}
