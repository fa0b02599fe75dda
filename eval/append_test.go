package eval_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// fill sets a value and all its elements to random values. With a low value of rich, most of them
// remain empty.
func fill(v reflect.Value, rnd *rand.Rand, rich float64) {
	if !v.CanSet() || rnd.Float64() > rich && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"plain", "拙政园", `"quoted"`, "<a href='&'>", "a\u2028b\u2029", "\xff\xfe", "\x00\x1f\x7f",
			`back\slash`, ""}[rnd.IntN(9)])
	case reflect.Bool:
		v.SetBool(rnd.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, 999_999, 1_500_000, -250_000, math.MaxInt64, math.MinInt64}[rnd.IntN(8)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, 0.25, 0.1 + 0.2, 1e-6, 1e-7, 1e21, 1 << 53, math.Copysign(0, -1), -3,
			math.MaxFloat64}[rnd.IntN(12)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), rnd, rich)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rnd.IntN(3), 3))
		for i := range v.Len() {
			fill(v.Index(i), rnd, rich)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), rnd, rich)
		}
	}
}

var _ = Describe("Result.AppendJSON", func() {
	It("writes the same bytes as encoding/json, whatever fields are set", func() {
		rnd := rand.New(rand.NewPCG(1, 2))
		for i := range 3000 {
			var r eval.Result
			fill(reflect.ValueOf(&r).Elem(), rnd, []float64{0.02, 0.2, 1}[i%3])
			want, err := json.Marshal(r)
			Expect(err).NotTo(HaveOccurred())
			got, err := r.AppendJSON([]byte("before"))
			Expect(err).NotTo(HaveOccurred())
			Expect(string(bytes.TrimPrefix(got, []byte("before")))).To(Equal(string(want)))
		}
	})

	It("returns an error for a number that JSON cannot represent", func() {
		r := eval.Result{Confidence: new(math.NaN())}
		_, err := r.AppendJSON(nil)
		Expect(err).To(MatchError(ContainSubstring("unsupported value")))
	})
})
