package reader

// checks are by code, in the order of tests/claims.md.
var checks map[string]check

func init() {
	checks = map[string]check{}
	for _, part := range []map[string]check{
		targetChecks, zeroChecks, selectorChecks, failureChecks, requestChecks, choiceChecks, boundChecks, readingChecks,
		fillChecks, windowChecks, limitChecks, rateChecks, controllerChecks,
	} {
		for code, one := range part {
			checks[code] = one
		}
	}
}
