package mocks_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks"
	"evalctl/mocks/wire"
)

// edit returns the body of a request to edit the image at base. An empty mask is omitted.
func edit(function, base, mask, parameters string) string {
	if mask != "" {
		mask = fmt.Sprintf(`,"mask_image_url":%q`, mask)
	}
	return fmt.Sprintf(`{"model":"wanx2.1-imageedit","input":{"function":%q,"prompt":"a blue door","base_image_url":%q%s},"parameters":%s}`,
		function, base, mask, parameters)
}

var _ = Describe("a request to edit an image", func() {
	const (
		plainly = "description_edit"
		masked  = "description_edit_with_mask"
		door    = "http://x/door.png"
		dot     = "data:image/png;base64,iVBORw0KGgo="
		failed  = "BadRequest.InputDownloadFailed"
	)

	DescribeTable("is accepted", func(body string) {
		w := post(newServer(mocks.Config{}), editPath, body, async)
		Expect(w.Code).To(Equal(200), w.Body.String())
	},
		Entry("with a mask", edit(masked, door, "https://x/mask.png", `{"n":1}`)),
		Entry("without a mask, for a function that requires none", edit(plainly, door, "", `{}`)),
		Entry("with a mask that the function ignores", edit(plainly, door, dot, `{}`)),
		Entry("with images as data URLs", edit(masked, dot, dot, `{"strength":0.5}`)),
		Entry("with an image URL that the simulation has generated",
			edit(plainly, wire.ImageBaseURL+"/a.png", "", `{}`)),
		Entry("with an image in DashScope's own storage", edit(plainly, "oss://bucket/a.png", "", `{}`)),
		Entry("with an image at the size limit",
			edit(plainly, "data:image/png;base64,"+strings.Repeat("A", 10<<20*4/3/4*4), "", `{}`)),
	)

	DescribeTable("is refused with DashScope's error", func(body, code, message string) {
		s := newServer(mocks.Config{})
		w := post(s, editPath, body, async)
		Expect(w.Code).To(Equal(400))
		Expect(w.Body.String()).To(HavePrefix(`{"code":"` + code + `","message":"`))
		Expect(w.Body.String()).To(ContainSubstring(message))
		Expect(s.Calls("image")).To(BeZero())
	},
		Entry("for an unknown function", edit("f", door, "", `{}`), "InvalidParameter", masked),
		Entry("without the mask that the function requires", edit(masked, door, "", `{}`), "InvalidParameter",
			"mask_image_url"),
		Entry("without an image", edit(plainly, "", "", `{}`), "InvalidParameter", "base_image_url"),
		Entry("with a strength above 1", edit(plainly, door, "", `{"strength":2}`), "InvalidParameter", "strength"),
		Entry("with an image that cannot be downloaded", edit(plainly, "http://x.invalid:80/a.png", "", `{}`),
			failed, "x.invalid"),
		Entry("with a mask that cannot be downloaded", edit(masked, door, "http://x.invalid/m.png", `{}`),
			failed, "m.png"),
		Entry("with an image that is not a URL", edit(plainly, "door.png", "", `{}`), failed, "door.png"),
		Entry("with a URL without a host", edit(plainly, "http://", "", `{}`), failed, ""),
		Entry("with a URL that cannot be parsed", edit(plainly, "http://x/%zz", "", `{}`), failed, ""),
		Entry("with a URL of an unknown scheme", edit(plainly, "ftp://x/door.png", "", `{}`), failed, ""),
		Entry("with a data URL without data", edit(plainly, "data:image/png;base64,", "", `{}`),
			"InvalidParameter", "base64"),
		Entry("with truncated base64", edit(masked, door, strings.TrimSuffix(dot, "="), `{}`),
			"InvalidParameter", "base64"),
		Entry("with empty base64", edit(plainly, "data:image/png;base64,", "", `{}`), "InvalidParameter", "base64"),
		Entry("with a data URL that is not in base64", edit(plainly, "data:image/png,abc", "", `{}`),
			"InvalidParameter", "base64"),
		Entry("with a data URL of a text", edit(plainly, "data:text/plain;base64,AAAA", "", `{}`),
			"InvalidParameter", "image/"),
		Entry("with an image above the size limit", edit(plainly,
			"data:image/png;base64,"+base64.StdEncoding.EncodeToString(make([]byte, 10<<20+3)), "", `{}`),
			"InvalidParameter", "10 MB"),
	)

	It("is refused without the header for asynchronous calls", func() {
		w := post(newServer(mocks.Config{}), editPath, edit(plainly, door, "", `{}`))
		Expect(w.Code).To(Equal(403))
		Expect(w.Body.String()).To(ContainSubstring("does not support synchronous calls"))
	})

	It("creates a task whose result contains image URLs, but not the prompt", func() {
		simulate(newServer(mocks.Config{}), func(ctx context.Context, c *http.Client) {
			_, body := fetch(ctx, c, "POST", editPath, edit(plainly, door, "", `{"n":2}`))
			var v struct {
				Output struct {
					TaskID string `json:"task_id"`
				}
			}
			decode(body, &v)
			_, body = fetch(ctx, c, "GET", "/api/v1/tasks/"+v.Output.TaskID, "")
			Expect(body).To(MatchRegexp(`"results":\[\{"url":"https://[^"]+"\},\{"url":"https://[^"]+"\}\]`))
		})
	})
})
