//! What the last word of a command line could become: verbs and flags as the parser knows them, values as the binary,
//! the kubeconfig and the cluster know them.
//!
//! One engine for every shell and for kubectl itself; it speaks the form that kubectl takes from plugins. It complains
//! of nothing: where something cannot be read in time, it is not offered.

mod knobs;
mod names;
mod offers;
mod source;

use std::io::Write;

use clap::builder::PossibleValue;
use clap::{Arg, CommandFactory, ValueHint};

use super::Ending;
use crate::cli::{Cli, CompleteArgs, Slot, Unfinished};
use crate::examples;
use crate::render;
use kubectl_hpa_core::rules;
use kubectl_hpa_core::trace::Code;
use offers::{Offer, Offers, Then};
use source::NameSource;

/// Prints what the last of the words could become.
pub fn run(args: &CompleteArgs, out: &mut dyn Write) -> anyhow::Result<Ending> {
    let line = Unfinished::read(Cli::command(), &args.words);
    let offers = if args.kubectl && is_misread(&line.begun) { Offers::none() } else { offers(&line) };
    offers.print(&line.begun, out)?;
    Ok(Ending::Done)
}

/// Whether kubectl's scripts for zsh and fish would put an offer in the wrong place: they take `-1=` in `web-1=gone` for a
/// flag.
fn is_misread(begun: &str) -> bool {
    begun.split_once('-').is_some_and(|(before, after)| !before.is_empty() && after.contains('='))
}

fn offers(line: &Unfinished) -> Offers {
    match &line.slot {
        Slot::Verb => Offers::done(verbs(line)),
        Slot::Flag => Offers::done(flags(line)),
        // An argument beside a flag that excludes it is not offered; the value of a flag that was typed always is.
        Slot::Value(arg) if arg.is_positional() && !line.is_free(arg) => Offers::none(),
        Slot::Value(arg) => values(line, arg),
        Slot::Nothing => Offers::none(),
    }
}

fn verbs(line: &Unfinished) -> Vec<Offer> {
    let verbs = line.command.get_subcommands().filter(|verb| !verb.is_hide_set());
    verbs.map(|verb| Offer::new(verb.get_name(), text(verb.get_about()))).collect()
}

/// Long ones; a short one only once it is typed, for it says nothing.
fn flags(line: &Unfinished) -> Vec<Offer> {
    let free = line.command.get_arguments().filter(|arg| line.is_free(arg));
    let flags = free.flat_map(|arg| {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}")).filter(|short| *short == line.begun);
        long.into_iter().chain(short).map(|flag| Offer::flag(flag, text(arg.get_help())))
    });
    flags.collect()
}

fn values(line: &Unfinished, arg: &Arg) -> Offers {
    let possible = arg.get_possible_values();
    if !possible.is_empty() {
        return Offers::done(possible.iter().filter(|value| !value.is_hide_set()).map(of_value).collect());
    }
    let source = || NameSource::of(line);
    match arg.get_id().as_str() {
        "names" if ["all", "all_namespaces", "selector"].iter().any(|query| line.value(query).is_some()) => {
            Offers::none()
        }
        "names" => {
            let is_typed = |offer: &Offer| line.values("names").any(|typed| offer.is(typed));
            let offers = names::subjects(source(), &line.begun).into_iter();
            Offers::done(offers.filter(|offer| !is_typed(offer)).collect())
        }
        "namespace" => Offers::done(names::namespaces(source())),
        "context" => {
            let is_typed = |offer: &Offer| line.values("context").any(|typed| offer.is(typed));
            let offers = names::contexts(source()).into_iter();
            Offers::done(offers.filter(|offer| !is_typed(offer)).collect())
        }
        "example" => {
            Offers::done(examples::ALL.iter().map(|it| Offer::new(it.name, it.description())).collect())
        }
        "why" => Offers::done(render::codes::titles().map(|(code, title)| Offer::new(code, title)).collect()),
        "condition" => conditions(&line.begun),
        "as_version" => Offers::done(knobs::versions(&line.begun)),
        "upgrade_to" => Offers::done(rules::versions().map(Offer::plain).collect()),
        "feature_gates" => Offers::done(knobs::gates(&line.begun)),
        _ if is_path(arg) => Offers { list: Vec::new(), then: Then::Files },
        id => knobs::offers(id, &line.begun, source),
    }
}

/// What `wait` waits for.
fn conditions(begun: &str) -> Offers {
    if begun.starts_with("code=") {
        let is_of_step = |code: &str| Code::ALL.iter().any(|step| step.as_str() == code);
        let codes = render::codes::titles().filter(|(code, _)| is_of_step(code));
        return Offers::done(codes.map(|(code, title)| Offer::new(format!("code={code}"), title)).collect());
    }
    let words = ["stable", "not-broken", "replicas=", "code="];
    Offers { list: words.map(Offer::plain).into(), then: Then::GoOn }
}

fn of_value(value: &PossibleValue) -> Offer {
    Offer::new(value.get_name(), text(value.get_help()))
}

fn is_path(arg: &Arg) -> bool {
    matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath)
}

fn text(help: Option<&clap::builder::StyledStr>) -> String {
    help.map(ToString::to_string).unwrap_or_default()
}
