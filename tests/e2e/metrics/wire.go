package metrics

import (
	"encoding/json"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

var codecs = newCodecs()

func newCodecs() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	utilruntime.Must(api.AddToScheme(scheme))
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme)
}

// answer writes an object as protobuf to whoever asks for it, as the controller manager does, else as JSON.
func answer(w http.ResponseWriter, r *http.Request, object runtime.Object, gv schema.GroupVersion) {
	mediaType := runtime.ContentTypeJSON
	if strings.Contains(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
		mediaType = runtime.ContentTypeProtobuf
	}
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
	w.Header().Set("Content-Type", mediaType)
	if err := codecs.EncoderForVersion(info.Serializer, gv).Encode(object, w); err != nil {
		fail(w, err)
	}
}

// fail writes an error as the Status object that API servers send.
func fail(w http.ResponseWriter, err error) {
	status := metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
		Reason: metav1.StatusReasonInternalError, Message: err.Error(),
	}
	if known, is := err.(errors.APIStatus); is {
		status = known.Status()
	}
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	writeJSON(w, int(status.Code), status)
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value) // the caller has gone: nobody to tell
}
