package imagegen_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/transport"
	"evalctl/mocks/wire"
)

// recorder forwards requests to a mock server and records them.
type recorder struct {
	client http.Client
	asked  []*http.Request
	at     []time.Duration
	body   string // body of the last request for an image
}

func (r *recorder) Do(q *http.Request) (*http.Response, error) {
	r.asked, r.at = append(r.asked, q), append(r.at, clock.Since(q.Context(), noon))
	if q.Method == http.MethodPost {
		b, err := io.ReadAll(q.Body)
		if err != nil {
			return nil, err
		}
		r.body = string(b)
		q.Body = io.NopCloser(bytes.NewReader(b))
	}
	return r.client.Do(q)
}

var _ = Describe("Client.Edit", func() {
	const door, white = "https://x/door.png", "data:image/png;base64,iVBORw0KGgo="

	var (
		r        *recorder
		events   []trace.Event
		duration time.Duration
	)
	edit := func(faults string, images mocks.ImageConfig, q imagegen.EditRequest) (pic imagegen.Image, err error) {
		GinkgoHelper()
		cfg := mocks.Config{Images: images}
		if faults != "" {
			cfg.Faults, err = fault.Parse(faults, nil)
			Expect(err).NotTo(HaveOccurred())
		}
		server, err := mocks.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		r, events = &recorder{client: http.Client{Transport: transport.Transport{Handler: server}}}, nil
		c, err := imagegen.New(imagegen.Config{APIKey: "k", HTTP: r})
		Expect(err).NotTo(HaveOccurred())
		err = clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			ctx = trace.WithRecorder(ctx, func(e trace.Event) { events = append(events, e) })
			pic, err = c.Edit(ctx, q)
			duration = clock.Since(ctx, noon)
			return err
		})
		return pic, err
	}
	input := func() map[string]string {
		GinkgoHelper()
		var v struct {
			Model      string            `json:"model"`
			Input      map[string]string `json:"input"`
			Parameters map[string]any    `json:"parameters"`
		}
		Expect(json.Unmarshal([]byte(r.body), &v)).To(Succeed())
		Expect(v.Model).To(Equal("wanx2.1-imageedit"))
		Expect(v.Parameters).To(Equal(map[string]any{"n": 1.0}))
		return v.Input
	}
	code := func(err error) string {
		GinkgoHelper()
		var e *llm.Error
		Expect(errors.As(err, &e)).To(BeTrue(), "%v is no *llm.Error", err)
		return e.Code
	}
	blue := imagegen.EditRequest{Prompt: "把门改成蓝色", BaseImage: door}

	It("S4, T6: edits an image with a task that is polled, regardless of Async", func() {
		pic, err := edit("", mocks.ImageConfig{Pending: time.Second, Running: 4 * time.Second}, blue)
		Expect(err).NotTo(HaveOccurred())
		Expect(pic.URL).To(HavePrefix(wire.ImageBaseURL))
		Expect(pic.RevisedPrompt).To(Equal("把门改成蓝色"))
		Expect(pic.TaskID).NotTo(BeEmpty())
		Expect(r.asked[0].URL.Path).To(Equal("/api/v1/services/aigc/image2image/image-synthesis"))
		Expect(r.asked[0].Header.Get("X-DashScope-Async")).To(Equal("enable"), "or it would be refused with 403")
		Expect(r.asked[1].URL.Path).To(Equal("/api/v1/tasks/" + pic.TaskID))
		Expect(r.asked[1].Header.Get("X-DashScope-Async")).To(BeEmpty())
		Expect(r.at).To(Equal([]time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second}))
		Expect(events).To(HaveLen(4))
		for _, e := range events {
			Expect(e.Node).To(Equal("image"))
			Expect(e.Span.Model).To(Equal("wanx2.1-imageedit"))
		}
	})

	DescribeTable("X9: selects the service's function depending on the mask, and sends URLs and data URLs unchanged",
		func(base, mask string, want map[string]string) {
			_, err := edit("", mocks.ImageConfig{}, imagegen.EditRequest{Prompt: "p", BaseImage: base, Mask: mask})
			Expect(err).NotTo(HaveOccurred())
			want["prompt"], want["base_image_url"] = "p", base
			Expect(input()).To(Equal(want))
		},
		Entry(nil, door, "", map[string]string{"function": "description_edit"}),
		Entry(nil, white, "", map[string]string{"function": "description_edit"}),
		Entry(nil, door, white, map[string]string{"function": "description_edit_with_mask", "mask_image_url": white}),
		Entry(nil, white, door+"?a=1&b=2",
			map[string]string{"function": "description_edit_with_mask", "mask_image_url": door + "?a=1&b=2"}),
	)

	It("S4: sends the strength if it is set", func() {
		for _, strength := range []float64{0, 0.25, 1} {
			_, err := edit("", mocks.ImageConfig{},
				imagegen.EditRequest{Prompt: "p", BaseImage: door, Strength: &strength})
			Expect(err).NotTo(HaveOccurred())
			Expect(r.body).To(ContainSubstring(`"parameters":` + fmt.Sprintf(`{"n":1,"strength":%v}`, strength)))
		}
	})

	DescribeTable("S4: rejects a strength that the service does not accept", func(strength float64, mask string) {
		_, err := edit("", mocks.ImageConfig{},
			imagegen.EditRequest{Prompt: "p", BaseImage: door, Mask: mask, Strength: &strength})
		Expect(err).To(MatchError(llm.KindBadRequest))
		Expect(r.asked).To(BeEmpty())
	},
		Entry("because there is a mask", 0.5, white), Entry("because it is below 0", -0.1, ""),
		Entry("because it is above 1", 1.1, ""),
		Entry("because it is NaN", math.NaN(), ""),
	)

	It("uses the configured model", func() {
		s := &service{steps: []step{pending, succeeded}}
		c, err := imagegen.New(imagegen.Config{APIKey: "k", HTTP: s, EditModel: "wanx3-imageedit"})
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			pic, err := c.Edit(ctx, blue)
			Expect(pic).To(Equal(imagegen.Image{URL: "https://x/b.png", RevisedPrompt: "a better p", TaskID: "t-1"}))
			return err
		})).To(Succeed())
		Expect(s.body).To(HaveKeyWithValue("model", "wanx3-imageedit"))
	})

	It("T6: returns an error with the provider's code if the task fails", func() {
		_, err := edit("image:task_failed", mocks.ImageConfig{Running: 3 * time.Second}, blue)
		Expect(err).To(MatchError(llm.KindTaskFailed))
		Expect(code(err)).To(Equal("InternalError.Algo"))
		Expect(duration).To(Equal(4 * time.Second))
	})

	It("T6: returns a timeout error if the task has not ended after 60 polls, at 120 s", func() {
		_, err := edit("image:task_endless", mocks.ImageConfig{}, blue)
		Expect(err).To(MatchError(llm.KindTimeout))
		Expect(code(err)).To(Equal("RUNNING"))
		Expect(duration).To(Equal(120 * time.Second))
		Expect(r.asked).To(HaveLen(61))
		last := events[len(events)-1]
		Expect(last.Kind).To(Equal(trace.KindTimeout))
		Expect(last.Reason).To(Equal("polls_exhausted"))
	})

	It("T6, X2: retries the request after an overload, and continues after a failed poll", func() {
		_, err := edit("image:overloaded@1+poll:server_error@1", mocks.ImageConfig{}, blue)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.asked).To(HaveLen(4))
	})

	DescribeTable("X2: does not retry the request after a permanent error",
		func(faults string, q imagegen.EditRequest, kind llm.ErrorKind, want string) {
			_, err := edit(faults, mocks.ImageConfig{}, q)
			Expect(err).To(MatchError(kind))
			Expect(code(err)).To(Equal(want))
			Expect(r.asked).To(HaveLen(1))
		},
		Entry("because the service cannot fetch the image", "",
			imagegen.EditRequest{Prompt: "p", BaseImage: "https://nowhere.invalid/a.png"}, llm.KindBadRequest,
			"BadRequest.InputDownloadFailed"),
		Entry("because the service cannot fetch the mask", "",
			imagegen.EditRequest{Prompt: "p", BaseImage: door, Mask: "https://nowhere.invalid/m.png"},
			llm.KindBadRequest,
			"BadRequest.InputDownloadFailed"),
		Entry("because the URL is invalid", "", imagegen.EditRequest{Prompt: "p", BaseImage: "door.png"},
			llm.KindBadRequest,
			"BadRequest.InputDownloadFailed"),
		Entry("because the base64 data is invalid", "",
			imagegen.EditRequest{Prompt: "p", BaseImage: door, Mask: "data:image/png;base64,?"},
			llm.KindBadRequest, "InvalidParameter"),
		Entry("because of the content filter", "image:content_blocked", blue, llm.KindContentBlocked,
			"DataInspectionFailed"),
		Entry("because the account has no balance", "image:no_balance", blue, llm.KindNoBalance, "Arrearage"),
	)

	DescribeTable("rejects an incomplete request without a call",
		func(q imagegen.EditRequest, text string) {
			_, err := edit("", mocks.ImageConfig{}, q)
			Expect(err).To(MatchError(llm.KindBadRequest))
			Expect(err).To(MatchError(ContainSubstring(text)))
			Expect(r.asked).To(BeEmpty())
		},
		Entry(nil, imagegen.EditRequest{Prompt: " \n", BaseImage: door}, "prompt"),
		Entry(nil, imagegen.EditRequest{Prompt: "p", Mask: white}, "image"),
	)

	It("accepts an image of 10 MB with a mask of the same size", func() {
		large := "data:image/png;base64," + strings.Repeat("A", 10<<20/3*4)
		_, err := edit("", mocks.ImageConfig{}, imagegen.EditRequest{Prompt: "p", BaseImage: large, Mask: large})
		Expect(err).NotTo(HaveOccurred())
	})
})
