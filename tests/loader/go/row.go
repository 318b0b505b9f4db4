package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
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
	// Stored is the spec as it comes back from an API server that stores it in autoscaling/v1.
	Stored json.RawMessage `json:"stored,omitempty"`
}

// write prints one row a line.
func write(rows []row) {
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// words are those of a refusal, each once.
func words(errors field.ErrorList) []string {
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
