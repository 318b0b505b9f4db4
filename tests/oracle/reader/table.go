package reader

// parts are those of tests/claims.md, by what goes before their codes: Why, the answer, the notes, what it rests on, what would change it, the
// self-check with its reason, the advice, the causes, and the
// state that a list gives.
var parts = []string{"", "then ", "because ", "note ", "basis ", "outlook ", "check ", "guess ", "advice ", "cause ", "listed "}

// tables are the checks by part and code.
var tables map[string]map[string]check

func init() {
	why := map[string]check{}
	for _, part := range []map[string]check{
		targetChecks, zeroChecks, selectorChecks, failureChecks, requestChecks, choiceChecks, boundChecks, readingChecks,
		fillChecks, windowChecks, limitChecks, rateChecks, controllerChecks,
	} {
		for code, one := range part {
			why[code] = one
		}
	}
	because := map[string]check{}
	for _, part := range []map[string]check{becauseController, becauseStopped, becauseHeld, becauseMetric} {
		for code, one := range part {
			because[code] = one
		}
	}
	tables = map[string]map[string]check{"": why, "then ": thenChecks, "because ": because, "note ": noteChecks, "basis ": basisChecks,
		"outlook ": outlookChecks, "check ": selfChecks, "guess ": guessChecks, "advice ": adviceChecks, "cause ": causeChecks, "listed ": listedChecks}
}

// part are the claims of a part.
func (d *Decision) part(name string) []map[string]any {
	switch name {
	case "then ":
		return d.Then
	case "because ":
		return d.Because
	case "note ":
		return d.Notes
	case "basis ":
		return d.Basis
	case "outlook ":
		return d.Outlook
	case "check ":
		return d.Check
	case "guess ":
		return d.Guess
	case "advice ":
		return d.Advice
	case "cause ":
		return d.Causes
	case "listed ":
		return d.Listed
	}
	return d.Claims
}
