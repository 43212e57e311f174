//! `shikou kubernetes`: a manifest as an indexed job.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::division::Division;
use super::error::CommandError;
use super::output::print;
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

pub(super) fn kubernetes(registry: &Registry, arguments: &KubernetesArguments) -> Result<(), CommandError> {
    let Division { plan, shards, base, .. } = Division::new(
        registry,
        &arguments.manifest,
        None,
        arguments.shards,
        (arguments.cpus, arguments.time),
    )?;
    let manifest = plan.manifest();
    if !manifest.files.is_empty() {
        return Err(CommandError::Usage(
            "the manifest names other files, which a config map of one file does not hold; build them into the image, and write \
             a job whose command has --shard auto/N"
                .into(),
        ));
    }
    let stem = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = object_name(&stem);
    let indented: String = manifest.text.lines().flat_map(|line| ["    ", line, "\n"]).collect();
    let (image, claim) = (scalar(&arguments.image), scalar(&arguments.claim));
    let file = scalar(&format!("/manifest/{stem}.toml"));
    // A program with games or searchers of its own is another one.
    let program =
        std::env::current_exe().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let program =
        program.filter(|name| name != "shikou").map_or_else(|| "shikou".into(), |name| scalar(&name));
    let (out, cpus) = (scalar(&format!("/results/{stem}")), arguments.cpus);
    print(format!(
        "# The manifest, as a file in every pod.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
data:
  {key}: |
{indented}---
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  # One pod for each shard; JOB_COMPLETION_INDEX tells it which.
  completionMode: Indexed
  completions: {shards}
  # How many run at once; the cluster may have room for fewer.
  parallelism: {shards}
  # A shard whose pod ends early goes on where it was, this many times.
  backoffLimitPerIndex: 20
  maxFailedIndexes: {shards}
  podFailurePolicy:
    rules:
      # A pod that is moved to another node is no failure.
      - action: Ignore
        onPodConditions:
          - {{type: DisruptionTarget, status: \"True\"}}
  template:
    spec:
      restartPolicy: Never
      # From the signal to the end; --grace is shorter.
      terminationGracePeriodSeconds: 60
      containers:
        - name: shikou
          image: {image}
          # The number of shards is written out, because Kubernetes does not tell it.
          command: [{program}, run, {file}, --shard, auto/{shards}, --out, {out}, --grace, 45s, --quiet]
          resources:
            requests: {{cpu: {cpus}}}
            limits: {{cpu: {cpus}}}
          volumeMounts:
            - {{name: manifest, mountPath: /manifest}}
            - {{name: results, mountPath: /results}}
      volumes:
        - name: manifest
          configMap: {{name: {name}}}
        - name: results
          persistentVolumeClaim: {{claimName: {claim}}}",
        key = scalar(&format!("{stem}.toml")),
    ))
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
