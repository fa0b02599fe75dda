package newsroom

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// A picture is known by its asset id: its address, and behind it, as a fragment, the
// id of its plan. Assets without a fragment, as a given state may hold them, are of
// the plans that have none of their own, in order; one of another plan is nobody's.

// asset is the id of a plan's picture.
func asset(at string, plan text) string {
	address, _, _ := strings.Cut(at, "#")
	return address + "#" + url.PathEscape(string(plan))
}

// images are the plans' assets, in their order; "" where there is none.
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

// painted counts the plans that have a picture.
func painted(plans list[imagePlan], assets texts) (n int) {
	for _, id := range images(plans, assets) {
		if id != "" {
			n++
		}
	}
	return n
}

// imagesComplete tells whether there is a picture for every plan.
func imagesComplete(plans list[imagePlan], assets texts) bool {
	return len(plans) > 0 && painted(plans, assets) == len(plans)
}

// with has a picture be that of the i-th plan, in the place of an earlier one, and
// leaves out what is nobody's.
func with(plans list[imagePlan], assets texts, i int, at string) texts {
	of := images(plans, assets)
	of[i] = at
	return marked(plans, of)
}

// marked are the assets of plans whose pictures are known.
func marked(plans list[imagePlan], of []string) (assets texts) {
	for i, at := range of {
		if at != "" {
			assets = append(assets, asset(at, plans[i].ID))
		}
	}
	return assets
}

// overlaid are the plans' assets, those of over first.
func overlaid(plans list[imagePlan], assets, over texts) texts {
	of := images(plans, assets)
	for i, at := range images(plans, over) {
		of[i] = cmp.Or(at, of[i])
	}
	return marked(plans, of)
}

// replan has the pictures of plans that others have replaced be gone: those of plans
// that are as they were stay.
func (s *state) replan(before list[imagePlan]) {
	had := map[imagePlan]string{}
	for i, at := range images(before, s.GeneratedImageAssetIDs) {
		had[before[i]] = at
	}
	of := make([]string, len(s.ImagePlans))
	for i, p := range s.ImagePlans {
		of[i] = had[p]
	}
	s.GeneratedImageAssetIDs = marked(s.ImagePlans, of)
}

// withIDs gives every plan an id of its own.
func withIDs(plans list[imagePlan]) list[imagePlan] {
	taken := map[text]bool{"": true}
	for i := range plans {
		id := text(strings.TrimSpace(string(plans[i].ID)))
		for n := i + 1; taken[id]; n++ {
			id = text(fmt.Sprintf("img-%d", n))
		}
		taken[id], plans[i].ID = true, id
	}
	return plans
}
