package main

import "strings"

func text(s string) *string { return &s }

// missing is what an API server says about a path that it does not serve.
var missing = answer{404, text("text/plain; charset=utf-8"), "404 page not found\n"}

// answers are all that a server, an aggregator or an adapter may say that is no value.
func answers() []answer {
	var all []answer
	for _, code := range []int{400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 415, 418, 422, 429, 500, 501, 502, 503, 504, 599} {
		all = append(all,
			answer{code, text("text/plain; charset=utf-8"), "service \"unavailable\"\n"},
			answer{code, text("application/json"), status("Failure", "the metrics are gone", "Gone")},
			answer{code, text("application/json"), `{"no":"status"}`},
			answer{code, nil, ""},
		)
	}
	return append(all,
		missing,
		answer{500, text("text/html"), "<html>\n\t<b>caf\u00e9</b> \u00a0 \x01\x7f \u2028 \U0001F600 \\ </html>  \n"},
		answer{500, text("text/plain"), strings.Repeat("0123456789", 300)},
		answer{500, text("TEXT/Plain;charset=utf-8"), "in capitals"},
		answer{500, text("application/octet-stream"), "bytes"},
		answer{500, nil, "no type"},
		answer{500, nil, status("Failure", "no type, but a status", "InternalError")},
		answer{500, text("application/json; charset=utf-8"), status("Failure", "with parameters", "InternalError")},
		answer{500, text("application/json"), status("Success", "a success of 500", "")},
		answer{500, text("application/json"), status("Failure", "", "")},
		answer{500, text("application/json"), `{"kind":"Status","status":"Failure","message":"no version"}`},
		answer{500, text("application/json"), `{"apiVersion":"v2","kind":"Status","status":"Failure","message":"other version"}`},
		answer{500, text("application/json"), `{"apiVersion":"other/v2","kind":"Status","status":"Failure","message":"other group"}`},
		answer{500, text("application/json"), `{"apiVersion":"a/b/c","kind":"Status","status":"Failure","message":"no version at all"}`},
		answer{500, text("application/json"), `{"apiVersion":"v1","kind":"Status","status":"Failure","message":null,"reason":null}`},
		answer{500, text("application/json"), `{"apiVersion":"v1","kind":"Status","status":"Failure","message":7}`},
		answer{500, text("application/json"), `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"unknown code","code":"no number"}`},
		answer{500, text("application/json"), `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"odd details","details":{"causes":[{"message":7}]}}`},
		answer{500, text("application/json"), status("Failure", "cut off", "InternalError")[:60]},
		answer{500, text("application/json"), `[1]`},
		answer{500, text("application/json"), `{"apiVersion":"v1","status":"Failure","message":"no kind"}`},
		answer{500, text("text/plain"), status("Failure", "a status as text", "InternalError")},
		answer{406, text("text/plain"), ""},
		answer{406, text("application/json"), "{}"},
		answer{403, text("text/plain"), "  not for you  "},
		answer{403, text("application/json"), status("Failure", `pods.metrics.k8s.io is forbidden: User "eve" cannot list resource "pods"`, "Forbidden")},
	)
}

func status(status, message, reason string) string {
	quoted := strings.ReplaceAll(message, `"`, `\"`)
	return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"` + status + `","message":"` + quoted + `","reason":"` + reason + `","code":500}`
}
