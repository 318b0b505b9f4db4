//go:build !before_27

// Command go prints what the real API server makes of HorizontalPodAutoscalers: defaults, conversion, validation.
// One JSON object a line; see README.md beside it.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"math/rand/v2"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of the random objects")
	count := flag.Int("count", 3000, "how many objects of autoscaling/v2; a third as many of v1 follow")
	flag.Parse()
	drawing := &drawing{rand.New(rand.NewPCG(*seed, 0))}
	var rows []row
	for index := range *count + *count/3 {
		object := drawing.v2()
		if index >= *count {
			object = drawing.v1()
		}
		rows = append(rows, judge(object))
	}
	write(rows)
}

func judge(object map[string]any) row {
	sent, err := json.Marshal(object)
	if err != nil {
		log.Fatal(err)
	}
	decoded, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), sent)
	if err != nil {
		log.Fatalf("%s: %v", sent, err)
	}
	stored := new(autoscalingv2.HorizontalPodAutoscaler)
	if err := legacyscheme.Scheme.Convert(decoded, stored, nil); err != nil {
		log.Fatal(err)
	}
	// What was sent as v1 is stored as v2, and gets v2's defaults when it is read.
	again, ok := decoded.(*autoscaling.HorizontalPodAutoscaler)
	if !ok {
		log.Fatalf("%s is a %T", sent, decoded)
	}
	row := row{Object: object, Spec: marshal(stored.Spec), Status: marshal(stored.Status)}
	if object["apiVersion"] == "autoscaling/v1" {
		filled := stored.DeepCopy()
		legacyscheme.Scheme.Default(filled)
		again = new(autoscaling.HorizontalPodAutoscaler)
		if err := legacyscheme.Scheme.Convert(filled, again, nil); err != nil {
			log.Fatal(err)
		}
	} else {
		row.Status = nil
	}
	row.Errors = refusal(again)
	return row
}

// refusal validates with what depends on feature gates or on an older object allowed.
func refusal(hpa *autoscaling.HorizontalPodAutoscaler) []string {
	errors := validation.ValidateHorizontalPodAutoscaler(hpa, validation.HorizontalPodAutoscalerSpecValidationOptions{
		MinReplicasLowerBound: 0,
		ScaleTargetRefValidationOptions: validation.CrossVersionObjectReferenceValidationOptions{
			AllowInvalidAPIVersion: true,
		},
		ObjectMetricsValidationOptions: validation.CrossVersionObjectReferenceValidationOptions{AllowEmptyAPIGroup: true},
	})
	return words(errors)
}
