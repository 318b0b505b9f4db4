package oracle

import (
	"encoding/json"
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"kubectl-hpa/oracle/reader"
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
		if out.Steps[i].Case, err = dressed(out.Steps[i].Case, seed, i == 0); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dressed gives some HPAs a ScaledObject as owner, some other HPAs the same target, some pods containers that wait or no node,
// and some cases what they show of kube-controller-manager. The controller that decides reads none of it.
func dressed(line []byte, seed uint64, isFirst bool) ([]byte, error) {
	var file map[string]any
	if err := json.Unmarshal(line, &file); err != nil || seed%3 != 0 && seed%5 != 0 && seed%4 != 0 && seed%7 > 1 {
		return line, err
	}
	if seed%4 == 0 {
		showWaiting(file, seed/4)
	}
	if seed%7 < 2 {
		showUnscheduled(file, seed/7)
	}
	hpa := file["hpa"].(map[string]any)
	if seed%5 == 0 {
		if err := showController(file, hpa, seed/5, isFirst); err != nil {
			return nil, err
		}
	}
	if seed%3 != 0 {
		return encode(file), nil
	}
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

// showWaiting lets the containers of some pods wait, or of all.
func showWaiting(file map[string]any, turn uint64) {
	reasons := []string{"ImagePullBackOff", "CrashLoopBackOff", "ContainerCreating", "CreateContainerConfigError"}
	pods, _ := file["pods"].(map[string]any)
	items, _ := pods["items"].([]any)
	for i, pod := range items {
		if number := turn + uint64(i); number%2 == 0 || turn%3 == 0 {
			its := pod.(map[string]any)
			statuses := []object{}
			spec, _ := its["spec"].(map[string]any)
			containers, _ := spec["containers"].([]any)
			for _, c := range containers {
				reason := reasons[number/2%uint64(len(reasons))]
				statuses = append(statuses, object{"name": c.(map[string]any)["name"], "state": object{"waiting": object{"reason": reason}}})
			}
			if status, ok := its["status"].(map[string]any); ok {
				status["containerStatuses"] = statuses
			}
		}
	}
}

// showUnscheduled leaves Pending pods without a node, of one sequence in two for the same reason.
func showUnscheduled(file map[string]any, turn uint64) {
	reasons := []string{"Unschedulable", "SchedulingGated", "SchedulerError", "Preempted"}
	pods, _ := file["pods"].(map[string]any)
	items, _ := pods["items"].([]any)
	for i, pod := range items {
		status, ok := pod.(map[string]any)["status"].(map[string]any)
		if !ok || status["phase"] != "Pending" {
			continue
		}
		reason := reasons[turn/2%uint64(len(reasons))]
		if turn%2 == 0 {
			reason = reasons[(turn/2+uint64(i))%uint64(len(reasons))]
		}
		conditions, _ := status["conditions"].([]any)
		status["conditions"] = append(conditions, object{"type": "PodScheduled", "status": "False", "reason": reason,
			"lastTransitionTime": fmt.Sprintf("2026-11-21T10:0%d:00Z", i%10)})
	}
}

// showController adds one of the signs that it is at work, or is not. After a first sync the status tells of one.
func showController(file, hpa map[string]any, turn uint64, isFirst bool) error {
	at, err := time.Parse(time.RFC3339Nano, file["at"].(string))
	if err != nil {
		return err
	}
	ago := func(d time.Duration) string { return at.Add(-d).UTC().Truncate(time.Second).Format(time.RFC3339) }
	observed := func(value any) object {
		return object{"value": value, "evidence": "Observed", "from": "Pod kube-system/kube-controller-manager"}
	}
	lease := func(holder string, renewed time.Duration) object {
		return object{"holder": holder, "renewed": ago(renewed), "lasts": "15s"}
	}
	if file["controller"] == nil {
		file["controller"] = map[string]any{}
	}
	shows, metadata := file["controller"].(map[string]any), hpa["metadata"].(map[string]any)
	switch turn %= 7; {
	case turn == 0:
		shows["runs"] = observed(false)
	case turn == 1:
		shows["lease"] = lease("cp1_1", time.Minute)
	case turn == 2:
		shows["lease"] = lease("", 20*time.Second)
	case turn == 3:
		shows["lease"], shows["runs"] = lease("cp1_1", 5*time.Second), observed(true)
	case turn == 4:
		shows["unelected"] = []string{"cp1", "cp2"}
	case turn == 5 && isFirst:
		shows["started"] = observed(ago(10 * time.Minute))
		metadata["managedFields"] = []object{{"manager": "kube-controller-manager", "operation": "Update", "subresource": "status",
			"apiVersion": "autoscaling/v2", "fieldsType": "FieldsV1", "fieldsV1": object{}, "time": ago(time.Hour)}}
	case turn == 6 && isFirst:
		metadata["creationTimestamp"] = ago(time.Hour)
		file["events"] = object{"items": []object{}}
	}
	return nil
}

// beside is what a case shows and the controller does not read.
type beside struct {
	targets    []autoscalingv2.CrossVersionObjectReference // of the other HPAs
	sidecars   map[string][]string                         // by pod: init containers that run on, also of before 1.28
	controller reader.Controller
	rescales   []reader.Rescale
}

func besideOf(line []byte) (out beside, err error) {
	var file struct {
		Controller struct {
			Runs      *setting[bool]
			Started   *setting[time.Time]
			Unelected []string
			Lease     *struct {
				Holder  string
				Renewed time.Time
				Lasts   string
			}
		}
		Events struct {
			Items []struct {
				Reason, Message string
				LastTimestamp   time.Time
			}
		}
		OtherHPAs []struct {
			HPA struct {
				Spec struct {
					ScaleTargetRef autoscalingv2.CrossVersionObjectReference
				}
			}
		}
		Pods struct {
			Items []struct {
				Metadata struct{ Name string }
				Spec     struct {
					InitContainers []struct{ Name, RestartPolicy string }
				}
			}
		}
	}
	if err := json.Unmarshal(line, &file); err != nil {
		return out, err
	}
	for _, other := range file.OtherHPAs {
		out.targets = append(out.targets, other.HPA.Spec.ScaleTargetRef)
	}
	for _, event := range file.Events.Items {
		if event.Reason == "SuccessfulRescale" {
			out.rescales = append(out.rescales, reader.Rescale{At: event.LastTimestamp, Message: event.Message})
		}
	}
	out.sidecars = map[string][]string{}
	for _, pod := range file.Pods.Items {
		for _, c := range pod.Spec.InitContainers {
			if c.RestartPolicy == "Always" {
				out.sidecars[pod.Metadata.Name] = append(out.sidecars[pod.Metadata.Name], c.Name)
			}
		}
	}
	c := file.Controller
	out.controller.Unelected = c.Unelected
	if c.Runs != nil {
		out.controller.LeftOut = !c.Runs.Value
	}
	if c.Started != nil {
		out.controller.Started = c.Started.Value
	}
	if c.Lease != nil {
		out.controller.Holder, out.controller.Renewed = c.Lease.Holder, c.Lease.Renewed
		out.controller.Lasts, err = time.ParseDuration(c.Lease.Lasts)
	}
	return out, err
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
