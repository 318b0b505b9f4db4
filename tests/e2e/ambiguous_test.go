package e2e

import (
	"regexp"
	"slices"
	"strings"
)

var sharing = regexp.MustCompile(`are controlled by more than one HPA \(e\.g\. \[(.*)\]\)`)

// inOrder sorts the HPAs that a message about shared pods names: the controller's order is random, anew in each sync.
func inOrder(message string) string {
	named := sharing.FindStringSubmatch(message)
	if named == nil {
		return message
	}
	names := strings.Fields(named[1])
	slices.Sort(names)
	return strings.Replace(message, named[1], strings.Join(names, " "), 1)
}

// ordered does so in the conditions of a status, and tells whether there was such a message.
func ordered(status map[string]any) (random bool) {
	for _, condition := range conditions(status) {
		message, _ := condition["message"].(string)
		random = random || sharing.MatchString(message)
		condition["message"] = inOrder(message)
	}
	return random
}
