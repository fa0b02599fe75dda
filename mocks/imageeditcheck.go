package mocks

import (
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"
)

var editFunctions = []string{
	"stylization_all", "stylization_local", "description_edit", "description_edit_with_mask", "remove_watermark",
	"expand", "super_resolution", "colorization", "doodle", "control_cartoon_feature",
}

// checkImageEdit wants a mask of description_edit_with_mask alone.
func (c *call) checkImageEdit(b *imageBody) *Refusal {
	if !c.isAsync() {
		return native(403, "AccessDenied", noSync)
	}
	if p := c.checkImage(b); p != nil {
		return p
	}
	strength := b.Parameters.Strength
	switch {
	case c.s.cfg.Images.Flow == SyncFlow:
		return native(403, "AccessDenied", noAsync)
	case !slices.Contains(editFunctions, b.Input.Function):
		return badParameter("function must be one of " + strings.Join(editFunctions, ", "))
	case strings.TrimSpace(b.Input.Prompt) == "":
		return badParameter("input.prompt is required")
	case b.Input.BaseImageURL == "":
		return badParameter("input.base_image_url is required")
	case b.Input.Function == "description_edit_with_mask" && b.Input.MaskImageURL == "":
		return badParameter("input.mask_image_url is required by description_edit_with_mask")
	case strength != nil && !(*strength >= 0 && *strength <= 1):
		return badParameter("strength must be in [0, 1]")
	}
	if p := checkSource(b.Input.BaseImageURL); p != nil {
		return p
	}
	if b.Input.MaskImageURL != "" {
		if p := checkSource(b.Input.MaskImageURL); p != nil {
			return p
		}
	}
	return checkCount(b)
}

// checkSource takes the address of a picture or the picture itself as a data
// URL. Whatever else it is given cannot be downloaded.
func checkSource(u string) *Refusal {
	if data, found := strings.CutPrefix(u, "data:"); found {
		return checkDataURL(data)
	}
	if !reachable(u) {
		return native(400, "BadRequest.InputDownloadFailed", "Failed to download the input file: "+u)
	}
	return nil
}

// checkDataURL reads what follows "data:", without keeping the picture.
func checkDataURL(data string) *Refusal {
	kind, picture, _ := strings.Cut(data, ",")
	if !strings.HasPrefix(kind, "image/") || !strings.HasSuffix(kind, ";base64") || picture == "" {
		return badParameter("a picture in base64 must be of the form data:image/TYPE;base64,DATA")
	}
	if len(picture) > maxBase64 {
		return badParameter("image size must not exceed 10 MB")
	}
	if _, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(picture))); err != nil {
		return badParameter("the picture is not valid base64")
	}
	return nil
}

// reachable tells an address that could be downloaded from: only a host that
// never resolves is known not to answer.
func reachable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "oss"}, u.Scheme) {
		return false
	}
	return !strings.HasSuffix(u.Hostname(), ".invalid") || strings.HasPrefix(address, DefaultPictures)
}
