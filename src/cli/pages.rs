//! Files for people to look at: a page, its figures and games, and a folder of pages with an index.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::folder::read_optimisations;
use super::output::print;
use super::stop::time;
use super::trial::named;
use crate::experiment::{Draft, ExplorerGames, Plan, Reference, Results, Source, Summary, Wish, explore};
use crate::game::options::OptionError;
use crate::players::Registry;
use crate::report::{EXPORTERS, Page, Report, Run, counted, figure_files, site};

/// The files to write.
#[derive(Args)]
pub(super) struct PageArguments {
    /// Write a page for a browser, with figures: report.html in the folder, or PATH
    // An empty path is that of the folder.
    #[arg(long, value_name = "PATH", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    html: Option<OsString>,
    /// Write each figure as an SVG file into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    pub(super) explore: ExploreArguments,
}

impl PageArguments {
    pub(super) fn check(&self) -> Result {
        self.explore.check(self.html.is_some())
    }

    /// Writes the files that were asked for, of the results in a folder, and says which.
    pub(super) fn write(&self, folder: &Path, report: &dyn Report) -> Result<Vec<String>> {
        let mut written = Vec::new();
        if let Some(path) = &self.html {
            let path = if path.is_empty() { folder.join("report.html") } else { path.into() };
            let html = EXPORTERS.iter().find(|format| format.name == "html").expect("it is a format");
            let page = (html.export)(report, Page::PLAIN).expect("a report of results has a page") + "\n";
            write(&path, &page)?;
            written.push(format!("{}: {} kB", path.display(), page.len().div_ceil(1000)));
        }
        if let Some(folder) = &self.svg {
            let files = report.run().map(|run| figure_files(&run)).unwrap_or_default();
            make_folder(folder)?;
            for (name, drawing) in &files {
                write(&folder.join(name), drawing)?;
            }
            written.push(format!("{}: {}", folder.display(), counted(files.len() as u64, "figure")));
        }
        Ok(written)
    }
}

fn make_folder(folder: &Path) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| CommandError::at(folder.display(), &error))
}

/// Writes a file: whole, or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result {
    let Some(name) = path.file_name() else {
        return Err(usage!("{} names no file", path.display()));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut draft = Draft::begin(folder, name.to_string_lossy().as_ref())?;
    draft.write_all(text.as_bytes())?;
    Ok(draft.finish()?)
}

/// Writes the pages of the results in the folders of `references` into `folder`, and says how many.
pub(super) fn write_site(references: &Path, folder: &Path) -> Result {
    let entries = std::fs::read_dir(references).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| CommandError::at(references.display(), &error))?;
    let mut found = Vec::new();
    for path in entries.iter().map(std::fs::DirEntry::path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if let Some(reference) = Reference::of_summary(&path)? {
            found.push((name.to_owned(), reference));
        }
    }
    if found.is_empty() {
        return Err(usage!(
            "{}: no folder here has a summary.json; `shikou run` writes one into each folder of results",
            references.display()
        ));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    let runs: Vec<(String, Run<'_>)> = found.iter().map(run).collect();
    // The notebook is beside the folder of references: its index, and its pages by their names.
    let beside = references.canonicalize().ok().and_then(|path| Some(path.parent()?.to_owned()));
    let notebook = beside.and_then(|folder| {
        let pages = std::fs::read_dir(folder.join("notebook")).into_iter().flatten().flatten();
        let mut pages: Vec<_> = pages.map(|page| page.path()).collect();
        pages.retain(|page| page.extension() == Some("md".as_ref()));
        pages.sort();
        let index = std::fs::read_to_string(folder.join("README.md")).ok()?;
        let texts = pages.iter().filter_map(|page| std::fs::read_to_string(page).ok());
        Some(texts.fold(index, |text, page| text + "\n" + &page))
    });
    make_folder(folder)?;
    let mut bytes = 0;
    for (file, page) in site(&runs, notebook.as_deref()) {
        write(&folder.join(file), &page)?;
        bytes += page.len();
    }
    let pages = counted(runs.len() as u64, "page");
    print(format!("{}: index.html and {pages}, {} kB", folder.display(), bytes.div_ceil(1000)))
}

/// The results in a folder of this name, without their log.
fn run((name, Reference { summary, facts, digest }): &(String, Reference)) -> (String, Run<'_>) {
    let digest = (!digest.is_empty()).then(|| format!("digest {digest} of this reference"));
    (name.clone(), Run { summary, times: None, facts, digest, explored: None })
}

/// The games of the page.
#[derive(Args)]
pub(super) struct ExploreArguments {
    /// Put N games into the page, played again with every decision: the first, closest, longest and shortest of each
    /// experiment, and the one in which the best two players part earliest
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "12",
        value_parser = clap::value_parser!(u16).range(1..=500)
    )]
    games: Option<u16>,
    /// Put the games of this trial into the page, and no others; the beginning of its name is enough; repeatable
    #[arg(long, value_name = "NAME")]
    trial: Vec<String>,
    /// Ask this player what it would have played; repeatable [default: the best two of each experiment]
    #[arg(long, value_name = "PLAYER")]
    ask: Vec<String>,
    /// The time limit for replaying games and asking players
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    explore_time: Duration,
}

impl ExploreArguments {
    /// Refuses games without a page.
    fn check(&self, has_page: bool) -> Result {
        let asked = [
            (self.games.is_some(), "--games"),
            (!self.trial.is_empty(), "--trial"),
            (!self.ask.is_empty(), "--ask"),
        ];
        match asked.into_iter().find(|(is_asked, _)| *is_asked && !has_page) {
            Some((_, option)) => Err(usage!(
                "{option} is about the games of a page; add --html, as in `shikou report FOLDER --html --games 12`, or show one \
                 game with `shikou trial FOLDER NAME`"
            )),
            None if !self.ask.is_empty() && !self.is_wanted() => {
                Err(usage!("--ask needs games to ask about; add --games 12"))
            }
            None => Ok(()),
        }
    }

    fn is_wanted(&self) -> bool {
        self.games.is_some() || !self.trial.is_empty()
    }

    /// The games of a committed reference, played from its manifest, if any are wanted. If the manifest cannot be played
    /// here, the reason stands in their place.
    pub(super) fn of_reference(
        &self,
        registry: &Registry,
        folder: &Path,
        summary: &Summary,
    ) -> Result<Option<ExplorerGames>> {
        if !self.is_wanted() {
            return Ok(None);
        }
        let plan = || -> Result<Plan> {
            let manifest = Results::open_reference(folder)?.read_manifest(registry)?;
            Ok(Plan::new(&read_optimisations(manifest, folder)?.0)?)
        };
        match plan() {
            Ok(plan) => self.games(&plan, Source::Reference(folder), summary, folder),
            Err(error) => {
                let missing = format!("The games cannot be played again: {}.", error.reason());
                Ok(Some(ExplorerGames { games: Vec::new(), missing: vec![missing] }))
            }
        }
    }

    /// The games of the results in a folder, if any are wanted.
    pub(super) fn games(
        &self,
        plan: &Plan,
        source: Source<'_>,
        summary: &Summary,
        folder: &Path,
    ) -> Result<Option<ExplorerGames>> {
        if !self.is_wanted() {
            return Ok(None);
        }
        let names =
            || plan.experiments().flat_map(|experiment| &experiment.players).map(|player| &*player.name);
        if let Some(unknown) = self.ask.iter().find(|asked| !names().any(|name| name == asked.as_str())) {
            return Err(OptionError::unknown("player", unknown, names()).into());
        }
        let trials = self.trial.iter().map(|id| named(plan, id, folder)).collect::<Result<_, _>>()?;
        let wish = Wish {
            games: self.games.map_or(usize::MAX, usize::from),
            trials,
            others: self.ask.clone(),
            time: self.explore_time,
        };
        let mut found = explore(plan, source, summary, &wish).map_err(CommandError::Usage)?;
        for (experiment, other) in &plan.manifest().waiting {
            found.missing.push(format!("{experiment} has no games here: it waits for {other}."));
        }
        Ok(Some(found))
    }
}
