// Command go prints what the real API server makes of HorizontalPodAutoscalers: defaults, conversion, validation.
// One JSON object a line; see README.md beside it.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
)

// row is what is known of one object.
type row struct {
	// Object is what is sent to the API server.
	Object map[string]any `json:"object"`
	// Errors are the words of its refusal, field first.
	Errors []string `json:"errors,omitempty"`
	// Spec and Status are in autoscaling/v2, after defaulting.
	Spec   json.RawMessage `json:"spec"`
	Status json.RawMessage `json:"status,omitempty"`
}

func main() {
	seed := flag.Uint64("seed", 1, "seed of the random objects")
	count := flag.Int("count", 3000, "how many objects of autoscaling/v2; a third as many of v1 follow")
	flag.Parse()
	drawing := &drawing{rand.New(rand.NewPCG(*seed, 0))}
	out := bufio.NewWriter(os.Stdout)
	rows := json.NewEncoder(out)
	for index := range *count + *count/3 {
		object := drawing.v2()
		if index >= *count {
			object = drawing.v1()
		}
		if err := rows.Encode(judge(object)); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
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
	var words []string
	for _, err := range settle(errors) {
		// ToAggregate, which words the API server's answer, drops repetitions too.
		if word := err.Error(); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// settle sorts what upstream takes from a Go map: the superfluous sources of one metric.
func settle(errors field.ErrorList) field.ErrorList {
	const superfluous = "must populate the given metric source only"
	for start := 0; start < len(errors); start++ {
		end := start
		for end < len(errors) && errors[end].Detail == superfluous && parent(errors[end]) == parent(errors[start]) {
			end++
		}
		slices.SortFunc(errors[start:end], func(a, b *field.Error) int { return strings.Compare(a.Field, b.Field) })
	}
	return errors
}

func parent(err *field.Error) string {
	return err.Field[:max(0, strings.LastIndexByte(err.Field, '.'))]
}

func marshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return text
}
