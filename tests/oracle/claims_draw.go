package oracle

import (
	"encoding/json"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// GenerateFresh draws a sequence as Generate does, but the controller has just started, so that the status agrees with all
// that it remembers later. Pods have owners, and some cases get what the controller doesn't look at.
func GenerateFresh(oracle *Oracle, patch string, seed uint64) (*Sequence, error) {
	s, err := newSequence(patch, seed)
	if err != nil {
		return nil, err
	}
	s.memory = memoryFile{Recommendations: []recommendationFile{}, ScaleUpEvents: []scaleEventFile{}, ScaleDownEvents: []scaleEventFile{}}
	s.ownPods()
	out, err := s.play(oracle, seed)
	if err != nil {
		return nil, err
	}
	for i := range out.Steps {
		if out.Steps[i].Case, err = dressed(out.Steps[i].Case, seed); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dressed gives some HPAs a ScaledObject as owner, and some other HPAs the same target.
func dressed(line []byte, seed uint64) ([]byte, error) {
	var file map[string]any
	if err := json.Unmarshal(line, &file); err != nil || seed%3 != 0 {
		return line, err
	}
	hpa := file["hpa"].(map[string]any)
	if seed%2 == 0 {
		hpa["metadata"].(map[string]any)["ownerReferences"] = []object{
			{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "web-scaler", "uid": "1", "controller": true}}
	}
	others, _ := file["otherHPAs"].([]any)
	for _, other := range others {
		its := other.(map[string]any)["hpa"].(map[string]any)
		its["spec"] = map[string]any{"scaleTargetRef": hpa["spec"].(map[string]any)["scaleTargetRef"]}
	}
	return encode(file), nil
}

// otherTargets are those of the other HPAs, as far as the case tells.
func otherTargets(line []byte) (out []autoscalingv2.CrossVersionObjectReference) {
	var file struct {
		OtherHPAs []struct {
			HPA struct {
				Spec struct {
					ScaleTargetRef autoscalingv2.CrossVersionObjectReference
				}
			}
		}
	}
	if json.Unmarshal(line, &file) != nil {
		return nil
	}
	for _, other := range file.OtherHPAs {
		out = append(out, other.HPA.Spec.ScaleTargetRef)
	}
	return out
}

// withoutMemory is a case whose memory has to be told from its objects.
func withoutMemory(line []byte) ([]byte, error) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(line, &file); err != nil {
		return nil, err
	}
	delete(file, "memory")
	return encode(file), nil
}
