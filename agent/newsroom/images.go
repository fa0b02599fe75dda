package newsroom

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// An asset ID identifies a generated image. It is the image's URL with the ID of its plan as the
// fragment. The state of a turn may contain asset IDs without a fragment; they are assigned in
// order to the plans without an image. Asset IDs of unknown plans are ignored.

// asset returns the asset ID of an image. at is the image's URL, and plan the ID of its plan.
func asset(at string, plan text) string {
	address, _, _ := strings.Cut(at, "#")
	return address + "#" + url.PathEscape(string(plan))
}

// imagesOfPlans returns the asset ID of each plan in order; "" for a plan without an image.
func imagesOfPlans(plans list[imagePlan], assets texts) []string {
	own := map[string]string{}
	var unmarked []string
	for _, id := range assets {
		if _, plan, marked := strings.Cut(id, "#"); marked {
			own[plan] = id
		} else {
			unmarked = append(unmarked, id)
		}
	}
	of := make([]string, len(plans))
	for i, p := range plans {
		if of[i] = own[url.PathEscape(string(p.ID))]; of[i] == "" && len(unmarked) > 0 {
			of[i], unmarked = unmarked[0], unmarked[1:]
		}
	}
	return of
}

// countPlansWithImage returns the number of plans that have an image.
func countPlansWithImage(plans list[imagePlan], assets texts) (n int) {
	for _, id := range imagesOfPlans(plans, assets) {
		if id != "" {
			n++
		}
	}
	return n
}

// imagesComplete reports whether every plan has an image.
func imagesComplete(plans list[imagePlan], assets texts) bool {
	return len(plans) > 0 && countPlansWithImage(plans, assets) == len(plans)
}

// withImage returns assets in which the i-th plan has the image with the URL at. Asset IDs that
// belong to no plan are dropped.
func withImage(plans list[imagePlan], assets texts, i int, at string) texts {
	of := imagesOfPlans(plans, assets)
	of[i] = at
	return assetIDs(plans, of)
}

// assetIDs returns the asset IDs of the plans with images. of contains the image URL of each plan.
func assetIDs(plans list[imagePlan], of []string) (assets texts) {
	for i, at := range of {
		if at != "" {
			assets = append(assets, asset(at, plans[i].ID))
		}
	}
	return assets
}

// mergeAssets combines two lists of asset IDs. For a plan with two images, the one in over is used.
func mergeAssets(plans list[imagePlan], assets, over texts) texts {
	of := imagesOfPlans(plans, assets)
	for i, at := range imagesOfPlans(plans, over) {
		of[i] = cmp.Or(at, of[i])
	}
	return assetIDs(plans, of)
}

// dropReplacedImages removes the images of plans that differ from the plans before. Unchanged plans
// keep their images.
func (s *state) dropReplacedImages(before list[imagePlan]) {
	had := map[imagePlan]string{}
	for i, at := range imagesOfPlans(before, s.GeneratedImageAssetIDs) {
		had[before[i]] = at
	}
	of := make([]string, len(s.ImagePlans))
	for i, p := range s.ImagePlans {
		of[i] = had[p]
	}
	s.GeneratedImageAssetIDs = assetIDs(s.ImagePlans, of)
}

// withIDs gives every plan without a unique ID a new one.
func withIDs(plans list[imagePlan]) list[imagePlan] {
	usedIDs := map[text]bool{"": true}
	for i := range plans {
		id := text(strings.TrimSpace(string(plans[i].ID)))
		for n := i + 1; usedIDs[id]; n++ {
			id = text(fmt.Sprintf("img-%d", n))
		}
		usedIDs[id], plans[i].ID = true, id
	}
	return plans
}
