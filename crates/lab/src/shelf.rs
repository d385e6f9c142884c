//! Finds experiments and workflows: first in the folder of the tester, then among those that are contained in the program.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rust_embed::Embed;

use crate::experiment::{self, Experiment};
use crate::files::{Source, read_text, suggestion};
use crate::workflow::{self, Workflow};

#[derive(Embed)]
#[folder = "../../lab/"]
struct EmbeddedFiles;

#[derive(Debug, Clone)]
pub(crate) struct Shelf {
    folder: Option<PathBuf>,
}

impl Shelf {
    /// A folder with `experiments` and `workflows` in it, as `lab` of the source tree is one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Shelf {
        Shelf { folder }
    }

    /// Every workflow; the mistakes of all of them at once.
    pub(crate) fn workflows(&self) -> Result<Vec<Workflow>> {
        read_all(self.sources("workflows")?, workflow::read)
    }

    pub(crate) fn experiments(&self, workflows: &[Workflow]) -> Result<Vec<Experiment>> {
        read_all(self.sources("experiments")?, |name, source| experiment::read(name, source, workflows))
    }

    /// The experiment of a name, or of the path of a file.
    pub(crate) fn experiment(&self, name: &str, workflows: &[Workflow]) -> Result<Experiment> {
        if Path::new(name).extension().is_some_and(|ending| ending == "toml") {
            let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
            return experiment::read(stem, &Source::new(name, read_text(Path::new(name))?), workflows);
        }
        let mut all = self.experiments(workflows)?;
        let Some(at) = all.iter().position(|experiment| experiment.name == name) else {
            let meant = suggestion(name, all.iter().map(|experiment| experiment.name.as_str()));
            bail!("there is no experiment {name}; {meant}");
        };
        Ok(all.swap_remove(at))
    }

    /// The file that a feeder names, beside the workflows.
    pub(crate) fn read_feeder_file(&self, file: &str) -> Result<String> {
        match &self.folder {
            Some(folder) => read_text(&folder.join("workflows").join(file)),
            None => read_text(Path::new(file)),
        }
    }

    /// The budgets of a file, or those inside the program by their name.
    pub(crate) fn budgets(&self, name: &str) -> Result<Source> {
        let path = Path::new(name);
        if toml_stem(path).is_some() {
            return Ok(Source::new(name, read_text(path)?));
        }
        let inside = format!("budgets-{name}.toml");
        let data =
            EmbeddedFiles::get(&inside).with_context(|| format!("there are no budgets \"{name}\""))?.data;
        Ok(Source::new(format!("lab/{inside}"), String::from_utf8(data.into_owned())?))
    }

    fn sources(&self, kind: &str) -> Result<Vec<(String, Source)>> {
        let mut sources = Vec::new();
        if let Some(folder) = &self.folder {
            let within = folder.join(kind);
            for entry in within.read_dir().into_iter().flatten().flatten() {
                let path = entry.path();
                if let Some(name) = toml_stem(&path) {
                    let text = std::fs::read_to_string(&path)?;
                    sources.push((name, Source::new(path.display().to_string(), text)));
                }
            }
        }
        for file in EmbeddedFiles::iter().filter(|file| file.starts_with(&format!("{kind}/"))) {
            let Some(name) = toml_stem(Path::new(file.as_ref())) else { continue };
            if !sources.iter().any(|(known, _)| *known == name) {
                let data = EmbeddedFiles::get(&file).context("a file inside the program")?.data;
                let text = String::from_utf8(data.into_owned())?;
                sources.push((name, Source::new(format!("lab/{file}"), text)));
            }
        }
        sources.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(sources)
    }

    /// Published figures that travel inside the program.
    pub(crate) fn published(&self) -> Result<Vec<Source>> {
        Ok(self.sources("published")?.into_iter().map(|(_, source)| source).collect())
    }
}

fn toml_stem(path: &Path) -> Option<String> {
    let is_toml = path.extension().is_some_and(|ending| ending == "toml");
    is_toml.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

fn read_all<T>(sources: Vec<(String, Source)>, read: impl Fn(&str, &Source) -> Result<T>) -> Result<Vec<T>> {
    let (mut done, mut wrong) = (Vec::new(), Vec::new());
    for (name, source) in sources {
        match read(&name, &source) {
            Ok(value) => done.push(value),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(done) } else { bail!(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_travels_inside_can_be_read() {
        let shelf = Shelf::new(None);
        let workflows = shelf.workflows().unwrap();
        let experiments = shelf.experiments(&workflows).unwrap();
        assert!(workflows.len() >= 8 && experiments.len() >= 5, "{} {}", workflows.len(), experiments.len());
    }

    #[test]
    fn an_experiment_that_is_not_there_is_told_with_the_one_that_was_meant() {
        let shelf = Shelf::new(None);
        let workflows = shelf.workflows().unwrap();
        let error = shelf.experiment("configuraton", &workflows).unwrap_err().to_string();
        assert!(error.contains("did you mean configuration"), "{error}");
    }
}
