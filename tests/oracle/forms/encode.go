package main

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	customv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

var (
	scheme   = runtime.NewScheme()
	versions = []schema.GroupVersion{
		corev1.SchemeGroupVersion, metricsv1beta1.SchemeGroupVersion, customv1beta1.SchemeGroupVersion,
		customv1beta2.SchemeGroupVersion, externalv1beta1.SchemeGroupVersion, appsv1.SchemeGroupVersion,
		autoscalingv2.SchemeGroupVersion,
	}
	// As the API server writes lists: item by item.
	codecs = serializer.NewCodecFactory(scheme, serializer.WithStreamingCollectionEncodingToJSON(), serializer.WithStreamingCollectionEncodingToProtobuf())
)

func init() {
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, metricsv1beta1.AddToScheme, customv1beta1.AddToScheme, customv1beta2.AddToScheme, externalv1beta1.AddToScheme,
		appsv1.AddToScheme, autoscalingv2.AddToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
}

// encoded writes an object in the form of a media type.
func encoded(object runtime.Object, mediaType string) ([]byte, error) {
	info, known := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	if !known {
		return nil, fmt.Errorf("no encoder of %s", mediaType)
	}
	var text bytes.Buffer
	encoder := codecs.EncoderForVersion(info.Serializer, schema.GroupVersions(versions))
	err := encoder.Encode(object, &text)
	return text.Bytes(), err
}

// line is a list of the vector: its parts in both forms, and the seed by which it belongs to a cluster.
type line struct {
	Seed     uint64   `json:"seed"`
	Path     string   `json:"path"`
	Protobuf []string `json:"protobuf"` // in hexadecimal
	JSON     []string `json:"json"`
}

func printVector(seed uint64, count int) error {
	out := gzip.NewWriter(os.Stdout)
	text := json.NewEncoder(out)
	// Both versions of the custom metrics API.
	for _, seed := range []uint64{seed, seed + 1} {
		byPath, _ := lists(seed, count/2)
		for _, path := range slices.Sorted(maps.Keys(byPath)) {
			parts := byPath[path]
			line := line{Seed: seed, Path: path}
			for _, part := range parts {
				protobuf, err := encoded(part, runtime.ContentTypeProtobuf)
				if err != nil {
					return err
				}
				json, err := encoded(part, runtime.ContentTypeJSON)
				if err != nil {
					return err
				}
				line.Protobuf, line.JSON = append(line.Protobuf, hex.EncodeToString(protobuf)), append(line.JSON, string(json))
			}
			if err := text.Encode(line); err != nil {
				return err
			}
		}
	}
	return out.Close()
}
