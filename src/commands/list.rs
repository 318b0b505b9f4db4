//! `kubectl hpa list`.

use std::io::Write;
use std::rc::Rc;

use futures::StreamExt;

use super::explain::complain;
use super::subjects::{self, Asked};
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases};
use crate::cli::ListArgs;
use crate::cluster::Subject;
use crate::examples;
use crate::render::{Fleet, Listed, Rows};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::HpaState;
use kubectl_hpa_core::snapshot::{Case, Cases};

/// Lists HPAs. One that cannot be read is complained of, and is a row of its own.
pub async fn run(
    args: ListArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let form = Form::of(&args.output, args.ascii, args.color, Rows::Folded, screen)?;
    let mut run = Run { rows: Vec::new(), ending: Ending::Done };
    if let Some(name) = &args.example {
        for example in examples::ALL.iter().filter(|it| name.is_empty() || it.name == name) {
            for case in Cases::new(example.name, example.text.as_bytes()) {
                run.add(case?)?;
            }
        }
    } else if args.file.is_empty() {
        let all = subjects::of_cluster(&args.subjects(), args.connection.clone(), screen, err).await?;
        let mut cases = subjects::gathered(all);
        while let Some((asked, case)) = cases.next().await {
            run.take(&asked, case.map_err(Into::into), err)?;
        }
    }
    for (index, case) in cases::of_files(args.file.clone()).enumerate() {
        if let Err(error) = case.and_then(|(place, case)| run.add(case).map_err(|it| it.context(place))) {
            run.failed(String::new(), format!("case {}", index + 1), &error, err)?;
        }
    }
    let fleet = Rc::new(Fleet::of(run.rows, &args.only, args.all_namespaces));
    let mut ending = run.ending;
    if args.fail_on.iter().any(|state| fleet.count(*state) > 0) {
        ending.count(Ending::Found);
    }
    let mut writer = Writer::new(form, out);
    writer.write(&fleet)?;
    writer.finish()?;
    Ok(ending)
}

/// The rows so far.
struct Run {
    rows: Vec<Listed>,
    ending: Ending,
}

impl Run {
    fn add(&mut self, case: Case) -> anyhow::Result<()> {
        let row = Listed::of(&Explanation::of(case)?);
        if row.state == HpaState::Unknown {
            self.ending.count(Ending::Unknown);
        }
        self.rows.push(row);
        Ok(())
    }

    /// One of the cluster.
    fn take(&mut self, asked: &Asked, case: anyhow::Result<Case>, err: &mut dyn Write) -> anyhow::Result<()> {
        let added = case.and_then(|case| self.add(case));
        match asked.named(added) {
            Ok(()) => Ok(()),
            Err(error) => {
                let namespace = asked.connection.namespace().to_owned();
                let name = match &asked.subject {
                    Subject::Hpa(name) => name.clone(),
                    target @ Subject::Target { .. } => target.to_string(),
                };
                self.failed(namespace, name, &error, err)
            }
        }
    }

    fn failed(
        &mut self,
        namespace: String,
        name: String,
        error: &anyhow::Error,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.ending.count(Ending::Failed);
        complain(error, err)?;
        self.rows.push(Listed::failed(namespace, name, format!("{error:#}")));
        Ok(())
    }
}
