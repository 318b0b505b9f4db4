// manners writes three tables of what kubectl's own libraries do: connections.jsonl, proxies.jsonl and templates.jsonl.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

func main() {
	folder := os.Args[1]
	write(filepath.Join(folder, "connections.jsonl"), connections())
	write(filepath.Join(folder, "proxies.jsonl"), proxies())
	write(filepath.Join(folder, "templates.jsonl"), append([]template{{Template: "", Output: document}}, templates()...))
}

func write[T any](path string, rows []T) {
	file, err := os.Create(path)
	check(err)
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, row := range rows {
		check(encoder.Encode(row))
	}
	check(file.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
