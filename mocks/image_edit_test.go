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

// edit returns a request to change the image at base; an empty mask is omitted.
func edit(function, base, mask, parameters string) string {
	if mask != "" {
		mask = fmt.Sprintf(`,"mask_image_url":%q`, mask)
	}
	return fmt.Sprintf(`{"model":"wanx2.1-imageedit","input":{"function":%q,"prompt":"a blue door","base_image_url":%q%s},"parameters":%s}`,
		function, base, mask, parameters)
}

var _ = Describe("edited images", func() {
	const (
		plainly = "description_edit"
		masked  = "description_edit_with_mask"
		door    = "http://x/door.png"
		dot     = "data:image/png;base64,iVBORw0KGgo="
		failed  = "BadRequest.InputDownloadFailed"
	)

	DescribeTable("are accepted", func(body string) {
		w := post(newServer(mocks.Config{}), editPath, body, async)
		Expect(w.Code).To(Equal(200), w.Body.String())
	},
		Entry("with a mask", edit(masked, door, "https://x/mask.png", `{"n":1}`)),
		Entry("without a mask, which only one function needs", edit(plainly, door, "", `{}`)),
		Entry("with a mask that the function ignores", edit(plainly, door, dot, `{}`)),
		Entry("as data URLs", edit(masked, dot, dot, `{"strength":0.5}`)),
		Entry("from the mock's own images", edit(plainly, wire.ImageBaseURL+"/a.png", "", `{}`)),
		Entry("from DashScope's store", edit(plainly, "oss://bucket/a.png", "", `{}`)),
		Entry("at the limit of size",
			edit(plainly, "data:image/png;base64,"+strings.Repeat("A", 10<<20*4/3/4*4), "", `{}`)),
	)

	DescribeTable("are refused as by DashScope", func(body, code, message string) {
		s := newServer(mocks.Config{})
		w := post(s, editPath, body, async)
		Expect(w.Code).To(Equal(400))
		Expect(w.Body.String()).To(HavePrefix(`{"code":"` + code + `","message":"`))
		Expect(w.Body.String()).To(ContainSubstring(message))
		Expect(s.Calls("image")).To(BeZero())
	},
		Entry("unknown function", edit("f", door, "", `{}`), "InvalidParameter", masked),
		Entry("no mask although required", edit(masked, door, "", `{}`), "InvalidParameter", "mask_image_url"),
		Entry("no image", edit(plainly, "", "", `{}`), "InvalidParameter", "base_image_url"),
		Entry("strength", edit(plainly, door, "", `{"strength":2}`), "InvalidParameter", "strength"),
		Entry("unreachable image", edit(plainly, "http://x.invalid:80/a.png", "", `{}`), failed, "x.invalid"),
		Entry("unreachable mask", edit(masked, door, "http://x.invalid/m.png", `{}`), failed, "m.png"),
		Entry("no URL", edit(plainly, "door.png", "", `{}`), failed, "door.png"),
		Entry("no host", edit(plainly, "http://", "", `{}`), failed, ""),
		Entry("unreadable URL", edit(plainly, "http://x/%zz", "", `{}`), failed, ""),
		Entry("unknown scheme", edit(plainly, "ftp://x/door.png", "", `{}`), failed, ""),
		Entry("broken base64", edit(plainly, "data:image/png;base64,", "", `{}`), "InvalidParameter", "base64"),
		Entry("truncated base64", edit(masked, door, strings.TrimSuffix(dot, "="), `{}`), "InvalidParameter", "base64"),
		Entry("empty base64", edit(plainly, "data:image/png;base64,", "", `{}`), "InvalidParameter", "base64"),
		Entry("not in base64", edit(plainly, "data:image/png,abc", "", `{}`), "InvalidParameter", "base64"),
		Entry("not an image in base64", edit(plainly, "data:text/plain;base64,AAAA", "", `{}`),
			"InvalidParameter", "image/"),
		Entry("too large", edit(plainly,
			"data:image/png;base64,"+base64.StdEncoding.EncodeToString(make([]byte, 10<<20+3)), "", `{}`),
			"InvalidParameter", "10 MB"),
	)

	It("have no synchronous form", func() {
		w := post(newServer(mocks.Config{}), editPath, edit(plainly, door, "", `{}`))
		Expect(w.Code).To(Equal(403))
		Expect(w.Body.String()).To(ContainSubstring("does not support synchronous calls"))
	})

	It("are returned as URLs, without their prompts", func() {
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
