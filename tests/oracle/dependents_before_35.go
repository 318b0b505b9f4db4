//go:build before_35

package oracle

import "k8s.io/component-base/featuregate"

// switchOffDependents does nothing: gates don't know yet of those that depend on them.
func switchOffDependents(map[string]bool, featuregate.Feature) {}
