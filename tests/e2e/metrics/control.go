package metrics

import (
	"encoding/json"
	"net/http"
)

// ControlHandler lets a person change the world by hand: GET / shows the State as JSON, PUT / replaces it.
func ControlHandler(store *Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		store.read(func(state *State) { writeJSON(w, http.StatusOK, state) })
	})
	mux.HandleFunc("PUT /{$}", func(w http.ResponseWriter, r *http.Request) {
		var wanted State
		decoder := json.NewDecoder(r.Body)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&wanted); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		store.Update(func(state *State) { *state = wanted })
	})
	return mux
}
