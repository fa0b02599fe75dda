package newsroom

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// An asset id identifies an image: its URL, with the id of its plan as the fragment. A given state
// may contain assets without a fragment. They are assigned in order to the plans without an asset.
// Assets of unknown plans are ignored.

// asset is the asset id of a plan's image.
func asset(at string, plan text) string {
	address, _, _ := strings.Cut(at, "#")
	return address + "#" + url.PathEscape(string(plan))
}

// images are the assets of the plans in order; "": none.
func images(plans list[imagePlan], assets texts) []string {
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

// countPainted counts the plans that have an image.
func countPainted(plans list[imagePlan], assets texts) (n int) {
	for _, id := range images(plans, assets) {
		if id != "" {
			n++
		}
	}
	return n
}

// imagesComplete reports whether every plan has an image.
func imagesComplete(plans list[imagePlan], assets texts) bool {
	return len(plans) > 0 && countPainted(plans, assets) == len(plans)
}

// withImage sets the image of the i-th plan and drops assets that belong to no plan.
func withImage(plans list[imagePlan], assets texts, i int, at string) texts {
	of := images(plans, assets)
	of[i] = at
	return assetIDs(plans, of)
}

// assetIDs are the asset ids of plans with images.
func assetIDs(plans list[imagePlan], of []string) (assets texts) {
	for i, at := range of {
		if at != "" {
			assets = append(assets, asset(at, plans[i].ID))
		}
	}
	return assets
}

// mergeAssets merges two sets of assets; those of over take precedence.
func mergeAssets(plans list[imagePlan], assets, over texts) texts {
	of := images(plans, assets)
	for i, at := range images(plans, over) {
		of[i] = cmp.Or(at, of[i])
	}
	return assetIDs(plans, of)
}

// dropReplacedImages drops the images of plans that have been replaced. Unchanged plans keep their
// images.
func (s *state) dropReplacedImages(before list[imagePlan]) {
	had := map[imagePlan]string{}
	for i, at := range images(before, s.GeneratedImageAssetIDs) {
		had[before[i]] = at
	}
	of := make([]string, len(s.ImagePlans))
	for i, p := range s.ImagePlans {
		of[i] = had[p]
	}
	s.GeneratedImageAssetIDs = assetIDs(s.ImagePlans, of)
}

// withIDs gives every plan a unique id.
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
