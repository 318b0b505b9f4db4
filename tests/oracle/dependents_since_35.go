//go:build !before_35

package oracle

import (
	"maps"
	"slices"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

func switchOffDependents(changed map[string]bool, gate featuregate.Feature) {
	for name, needs := range utilfeature.DefaultMutableFeatureGate.Dependencies() {
		if slices.Contains(needs, gate) && !slices.Contains(slices.Collect(maps.Keys(changed)), string(name)) {
			changed[string(name)] = false
			switchOffDependents(changed, name)
		}
	}
}
