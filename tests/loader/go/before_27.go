//go:build before_27

package main

import (
	"encoding/json"
	"flag"
	"log"
	"math/rand/v2"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/features"
)

func main() {
	seed := flag.Uint64("seed", 2, "seed of the random objects")
	count := flag.Int("count", 500, "how many objects of each of v2, v2beta2 and v2beta1")
	flag.Parse()
	if err := utilfeature.DefaultMutableFeatureGate.Set(string(features.HPAScaleToZero) + "=true"); err != nil {
		log.Fatal(err)
	}
	drawing := &drawing{rand.New(rand.NewPCG(*seed, 0))}
	var rows []row
	for range *count {
		for _, draw := range []func() map[string]any{drawing.v2, drawing.v2beta2, drawing.v2beta1} {
			rows = append(rows, judge(draw()))
		}
	}
	write(rows)
}

func judge(object map[string]any) row {
	sent, err := json.Marshal(object)
	if err != nil {
		log.Fatal(err)
	}
	read := decode(sent)
	version := legacyscheme.Codecs.LegacyCodec(autoscalingv1.SchemeGroupVersion)
	stored, err := runtime.Encode(version, read.DeepCopy())
	if err != nil {
		log.Fatal(err)
	}
	row := row{Object: object, Errors: words(validation.ValidateHorizontalPodAutoscaler(read))}
	now, then := inV2(read), inV2(decode(stored))
	row.Spec, row.Stored = marshal(now.Spec), marshal(then.Spec)
	if object["apiVersion"] != "autoscaling/v2" {
		row.Status = marshal(now.Status)
	}
	return row
}

// decode reads an object of any version, with that version's defaults.
func decode(text []byte) *autoscaling.HorizontalPodAutoscaler {
	decoded, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), text)
	if err != nil {
		log.Fatalf("%s: %v", text, err)
	}
	hpa, ok := decoded.(*autoscaling.HorizontalPodAutoscaler)
	if !ok {
		log.Fatalf("%s is a %T", text, decoded)
	}
	return hpa
}

func inV2(hpa *autoscaling.HorizontalPodAutoscaler) *autoscalingv2.HorizontalPodAutoscaler {
	converted := new(autoscalingv2.HorizontalPodAutoscaler)
	if err := legacyscheme.Scheme.Convert(hpa.DeepCopy(), converted, nil); err != nil {
		log.Fatal(err)
	}
	return converted
}
