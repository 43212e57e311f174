//! `shikou kubernetes`: a manifest as an indexed job.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use minijinja::context;

use super::division::Division;
use super::error::{Result, usage};
use super::output::{filled, print};
use super::stop::time;
use crate::players::Registry;

#[derive(Args)]
#[command(after_help = "Example:
  shikou kubernetes experiments/tour.toml --image registry/shikou:1 --claim results > tour.yaml
  kubectl apply -f tour.yaml

The image holds the program `shikou`. The claim is a volume that all pods can write at once
(ReadWriteMany); the results are in it. When the job is done, `shikou merge` in a pod with the same
volume joins the shards.")]
pub(super) struct KubernetesArguments {
    /// The manifest, a TOML file
    manifest: PathBuf,
    /// The image of the containers
    #[arg(long)]
    image: String,
    /// The claim of the volume for the results
    #[arg(long, default_value = "results")]
    claim: String,
    /// The processors of a task
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1024))]
    cpus: u32,
    /// The time that a task should take at most
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = time)]
    time: Duration,
    /// The number of shards [default: by a pilot, at most 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000))]
    shards: Option<u64>,
}

pub(super) fn kubernetes(registry: &Registry, arguments: &KubernetesArguments) -> Result {
    let Division { plan, shards, base, .. } = Division::new(
        registry,
        &arguments.manifest,
        None,
        arguments.shards,
        (arguments.cpus, arguments.time),
    )?;
    let manifest = plan.manifest();
    if !manifest.files.is_empty() {
        return Err(usage!(
            "the manifest names other files, which a config map of one file does not hold; build them into the image, and write \
             a job whose command has --shard auto/N"
        ));
    }
    let stem = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // A program with games or searchers of its own is another one.
    let program =
        std::env::current_exe().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let program =
        program.filter(|name| name != "shikou").map_or_else(|| "shikou".into(), |name| scalar(&name));
    let values = context! {
        name => object_name(&stem), key => scalar(&format!("{stem}.toml")), shards, program,
        cpus => arguments.cpus,
        lines => manifest.text.lines().map(String::from).collect::<Vec<_>>(),
        image => scalar(&arguments.image),
        claim => scalar(&arguments.claim), file => scalar(&format!("/manifest/{stem}.toml")),
        out => scalar(&format!("/results/{stem}")),
    };
    print(filled(include_str!("kubernetes.yaml.j2"), &values).trim_end())
}

/// A text as a scalar of YAML: JSON is YAML.
fn scalar(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// A name that Kubernetes takes: small letters, digits and dashes.
fn object_name(stem: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.chars().map(letter).take(50).collect();
    format!("shikou-{}", name.trim_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_kubernetes_takes() {
        assert_eq!(object_name("My_tour.2"), "shikou-my-tour-2");
        assert_eq!(scalar("a\"b"), r#""a\"b""#);
    }
}
