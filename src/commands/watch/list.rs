//! `kubectl hpa list --watch`: the list again and again, each time read whole, and never more often than the controller syncs.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant as Moment};

use super::SHARE;
use super::frame::Frame;
use super::news::News;
use crate::cli::{ListArgs, Output};
use crate::commands::clusters::Clusters;
use crate::commands::list::{Look, look, note};
use crate::commands::looks::{Clock, Place, Trouble};
use crate::commands::manifest::now;
use crate::commands::writer::Form;
use crate::commands::{Ending, Screen, signals};
use crate::render::{self, Fleet, Listed, Rows};
use kubectl_hpa_core::model::Instant;

/// Until a look has told the sync period.
const PERIOD: Duration = Duration::from_secs(15);
/// The shortest time between two looks at a list, whatever the controller does: it asks the API server for far more.
const SHORTEST_LIST_PAUSE: Duration = Duration::from_millis(500);

/// Looks until somebody wants an end.
pub async fn run(
    args: &ListArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let clusters = Clusters::of(&args.connection);
    let (news, frame) = (News::default(), Frame::default());
    let is_several = clusters.is_several();
    let mut show = Show {
        args,
        screen,
        out,
        err,
        frame,
        rows: Vec::new(),
        news,
        clock: None,
        read: None,
        trouble: Trouble::default(),
        is_several,
    };
    let ended = tokio::select! {
        () = signals::ended() => Ok(()),
        ended = look_on(&clusters, &mut show) => ended,
    };
    show.finish()?;
    ended.map(|()| Ending::Done)
}

/// What goes wrong at the first look ends it, as without `--watch`; later it is told, and tried again.
async fn look_on(clusters: &Clusters, show: &mut Show<'_>) -> anyhow::Result<()> {
    let (subjects, mut is_first) = (show.args.subjects(), true);
    loop {
        let begun = Moment::now();
        let mut look = look(clusters, &subjects).await?;
        let is_useless = std::mem::take(&mut is_first) && !clusters.is_several();
        if is_useless && let Some(unread) = look.unread.pop() {
            return Err(unread.error);
        }
        let pause = look.period.unwrap_or(PERIOD).max(SHORTEST_LIST_PAUSE).max(begun.elapsed() * (SHARE - 1));
        show.see(look)?;
        let end = begun + pause;
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(end.into()) => break,
                () = signals::resized() => show.draw()?,
            }
        }
    }
}

/// Where looks are shown.
struct Show<'a> {
    args: &'a ListArgs,
    screen: Screen,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    frame: Frame,
    /// The last ones that were read.
    rows: Vec<Listed>,
    news: News,
    clock: Option<Clock>,
    /// When something was read last.
    read: Option<Instant>,
    trouble: Trouble,
    is_several: bool,
}

impl Show<'_> {
    fn see(&mut self, look: Look) -> anyhow::Result<()> {
        let is_kept = |row: &Listed| {
            look.unread.iter().any(|it| !self.is_several || row.context() == Some(it.context.as_str()))
        };
        let kept: Vec<Listed> = self.rows.iter().filter(|row| is_kept(row)).cloned().collect();
        let (trouble, ended) = (look.trouble(), Moment::now());
        if let Some(at) = look.rows.iter().filter_map(Listed::read_at).max() {
            self.clock = Some(self.clock.map_or(Clock::set(at, ended), |clock| clock.corrected(at, ended)));
        }
        // Until an HPA was read, this machine's clock is all there is.
        let now = self.clock.map_or_else(now, |clock| clock.at(ended));
        if !look.rows.is_empty() || look.unread.is_empty() {
            self.read = Some(now);
        }
        self.rows = look.rows;
        self.rows.extend(kept);
        if self.is_drawn() {
            self.trouble.tell(now, trouble, &mut io::sink())?;
            return self.draw();
        }
        self.trouble.tell(now, trouble, self.err)?;
        self.lines()
    }

    fn is_drawn(&self) -> bool {
        self.screen.height.is_some() && self.args.output != Output::Jsonl
    }

    fn fleet(&self) -> Fleet {
        let args = self.args;
        let fleet = Fleet::of(self.rows.clone(), &args.only, args.all_namespaces);
        let fleet = fleet.sorted(args.sort).looked_at(self.read);
        if self.is_several { fleet.of_clusters() } else { fleet }
    }

    fn form(&self) -> anyhow::Result<Form> {
        Form::of(&self.args.output, self.args.style, Rows::Folded, self.screen.for_table())
    }

    /// Draws the last rows for the terminal as it is now.
    fn draw(&mut self) -> anyhow::Result<()> {
        if !self.is_drawn() {
            return Ok(());
        }
        if io::stdout().is_terminal() {
            self.screen = Screen { can_ask: self.screen.can_ask, ..Screen::of_stdout() };
        }
        let (page, height) = (self.page()?, self.screen.height.unwrap_or_default());
        let mut total = Vec::new();
        render::fleet_total(&mut total, &self.fleet(), &self.form()?.options)?;
        let kept = String::from_utf8_lossy(&total).lines().count();
        Ok(self.frame.draw(self.out, &page, height, kept)?)
    }

    /// The list as it was read last, under the time of that; nothing of what has never been read.
    fn page(&self) -> anyhow::Result<String> {
        let mut page: Vec<u8> = Vec::new();
        for line in self.trouble.lines() {
            writeln!(page, "{line}")?;
        }
        if self.read.is_some() {
            render::fleet(&mut page, &self.fleet(), &self.form()?.options)?;
        }
        Ok(String::from_utf8_lossy(&page).into_owned())
    }

    /// A line for each HPA at first, and then for each that has changed, has come or has gone.
    fn lines(&mut self) -> anyhow::Result<()> {
        let (fleet, options) = (self.fleet(), self.form()?.options);
        if self.news.is_first() {
            note(&fleet, self.err)?;
        }
        let is_there = |place: &Place| self.rows.iter().find(|row| row.place() == *place).cloned();
        for (mut row, is_gone) in self.news.of(fleet.rows(), is_there) {
            if is_gone {
                row.looked_at(self.read);
            }
            if self.args.output == Output::Jsonl {
                render::json_line(self.out, &render::listed_view(&row, is_gone))?;
            } else {
                render::listed_line(self.out, &row, is_gone, self.is_several, &options)?;
            }
        }
        Ok(self.out.flush()?)
    }

    /// Gives the terminal back; the last list stays on it.
    fn finish(&mut self) -> anyhow::Result<()> {
        let page = self.page()?;
        self.frame.leave(self.out, &page)?;
        Ok(self.out.flush()?)
    }
}
