package studio

import (
	"regexp"
	"strings"
	"unicode"
)

// Patterns for references to an area of an image, such as 这里, 圈出来的那块 or "this part". An area can
// only be edited with a mask.
const (
	spotZH = `(?:(?:这|那|此|该)(?:一|个|片|块|些){0,2}(?:里|儿|块|处|边|片|角|区域|区|部位|部分|地方|地儿|位置|位)|` +
		`(?:圈|涂|框|选|标|画)(?:出来|起来|出|起|中|了|好|住|定|上|抹|记)?` +
		`(?:(?:的|那|这)(?:一|个|片|块|些|那|这){0,2}(?:里|儿|块|处|边|片|角|位置)|的?(?:区域|部位|部分|地方)))`
	spotEN = `(?:(?:this|that|these|those|the (?:highlighted|selected|marked|circled|masked|painted)) (?:\w+ )?(?:areas?|parts?|regions?|spots?|bits?|patch|section|corner|place)|` +
		`the (?:area|part|region|spot|bit) (?:that )?(?:i|i've|i have) (?:highlighted|selected|marked|circled|painted))\b`
)

// Patterns for changes of an area. A request to add something refers to an area only if there is an
// image. Otherwise 在这里画一只猫 requests a new image.
const (
	changesZH = `(?:[修更]改|改[成为一掉下动造个回得改]|换[成为一掉下个上回]|替换|弄成|调[整亮暗成一高低大小色]|修[复补一下掉好整饰正]|` +
		`[去删抹擦涂P消移拿弄]掉|[去删抹擦消移]除|[抹擦消移拿]走|擦一|[抹补填涂][平成满上]|重[画绘做新]|(?:删|换了|改了|(?:不|别)要了?)(?:$|[，。！,.! ]))`
	verbsZH   = `(?:修改|更改|改|更换|替换|换|调整|调|修复|修补|修|重画|重绘|[去删抹擦涂P消移]掉|[去删消移]除|删|擦|抹)`
	addsZH    = `(?:[加添放画补种写摆贴涂]|变成[^了])`
	changesEN = `(?:change|edit|fix|repair|remove|erase|delete|replace|redo|repaint|redraw|modify|retouch|recolou?r|swap|get rid of|clean up|fill|turn|paint over)`
	addsEN    = `(?:add|put|place|draw|paint|make|insert)`
	beginEN   = `(?:^|[.,!?;:] *|\b(?:please|pls|plz|can you|could you|would you|can u|could u|and|then|just|now|to|wanna|gonna|let's) )`
	gapZH     = `[^，。！？；,.!?;\n是曾]{0,8}[，, …]{0,3}(?:请|帮我|给我|麻烦|就)?`
	aspectZH  = `(?:一下|下|一改|一|了|好|动|成)?(?:图[片中里]*|画面|照片|我|你|上面|的|[左右上下]边){0,3}`
)

var (
	changeOfPlace = regexp.MustCompile(`(?i)` + spotZH + gapZH + changesZH + `|` + verbsZH + aspectZH + spotZH + `|` +
		beginEN + changesEN + `\b[^.,!?;]{0,40}?\b(?:here\b|` + spotEN + `)|` + beginEN + `make ` + spotEN + `|` +
		`\b` + spotEN + `[^.,!?;]{0,20}\b(?:should|must|needs to|has to) (?:be|become|go|look)\b`)
	additionToPlace = regexp.MustCompile(`(?i)` + spotZH + `[^，。！？；,.!?;\n是曾的]{0,3}` + addsZH +
		`|[加添放画补种写摆贴][^，。！？,.!?]{0,6}[在到]` + spotZH + `|` +
		beginEN + addsEN + `\b[^.,!?;]{0,40}?\b(?:here\b|` + spotEN + `)`)
	// otherPlaces matches phrases with 这里 and similar words that do not refer to an area of an
	// image. They refer to a location of the user, a point in the conversation, or quoted text.
	otherPlaces = regexp.MustCompile(`[我你您们家司][这那][里儿边块]|[说讲聊看读走来去住][到在过]?[这那][里儿边]|[先就]到这[里儿]|` +
		`“[^”]*”|「[^」]*」|《[^》]*》|"[^"]*"`)
)

// missingInput returns the code of what the plan requires and the user must provide; "": nothing. A
// user can only mark an area of an image that exists. The plan's confidence does not matter.
func (s *state) missingInput() errorCode {
	action, hasImage := s.Intent.Action, s.Input.Canvas != ""
	switch {
	case s.Input.Mask != "":
		return ""
	case hasImage && (action == ActionInpainting || s.Input.refersToArea()):
		return maskRequired
	case hasImage:
		return ""
	case action == ActionInpainting:
		return baseImageRequired
	case s.Input.namesNothing():
		return nothingToAdjust
	default:
		return ""
	}
}

// refersToArea reports whether the text requests a change of an area but the turn has no mask.
func (in input) refersToArea() bool {
	if in.Mask != "" {
		return false
	}
	text := otherPlaces.ReplaceAllString(in.Text, "。")
	return changeOfPlace.MatchString(text) || in.Canvas != "" && additionToPlace.MatchString(text)
}

// Words of requests to repeat or change something, without what it is. A quality of an image, such as
// its brightness, is a change if its degree changes: 亮一点, but not 一张大图.
var (
	repeatingZH = strings.NewReplacer(spaced(`重新 继续 接着 重试 再 又 还 试`)...)
	repeatingEN = wordSet(`again once more another further redo retry try continue resume keep go`)
	changingZH  = strings.NewReplacer(spaced(`调整 微调 修改 更改 改进 优化 完善 改 调 变 换`)...)
	degreesZH   = strings.NewReplacer(spaced(`更 一点 一些 点儿 点 些`)...)
	qualitiesZH = strings.NewReplacer(spaced(`颜色 色彩 色调 配色 亮度 明暗 对比度 饱和度 清晰度 分辨率 尺寸 比例 强度
		明亮 清晰 鲜艳 柔和 模糊 亮 暗 深 浅 浓 淡 大 小 高 低 冷 暖`)...)
	changingEN = wordSet(`adjust tweak change modify edit alter fix improve refine revise less better nicer
		brighter darker lighter warmer cooler sharper softer bigger smaller larger`)
	// fillers are polite words, quantities, and words for an image, its qualities and for making one
	fillersZH = strings.NewReplacer(spaced(`帮我 给我 麻烦 可以 可不可以 能不能 一下 一点 一些 点儿 图片 ` +
		`图像 画面 照片 生成 绘制 画 做 出 来 请 帮 我 你 能 想 要 它 这 那 个 张 幅 版 次 遍 图 下 点 些 一 两 几 吗 吧 呗 啊 呢 哦 嗯 好 的 了 就`)...)
	fillersEN = wordSet(`please pls can could would will you i want need like to for me us it its this that the an a bit
		little slightly some just one image picture photo version time ok draw paint make generate create give do
		on going brightness contrast saturation color colors colour colours tone size resolution`)
)

// spaced returns the arguments of a Replacer that replaces each word by a space.
func spaced(words string) (pairs []string) {
	for w := range strings.FieldsSeq(words) {
		pairs = append(pairs, w, " ")
	}
	return pairs
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// bareRequest classifies a text that names nothing to draw: repeats if it requests to repeat
// something, as 再试一次 does, and changes if it requests to change something, as 再调整一下 does. Both are
// false for other texts.
func bareRequest(text string) (repeats, changes bool) {
	text = strings.ToLower(text)
	once := repeatingZH.Replace(text)
	changed := changingZH.Replace(once)
	graded := degreesZH.Replace(changed)
	rest := qualitiesZH.Replace(graded)
	repeats = once != text
	changes = changed != once || graded != changed && rest != graded
	isSeparator := func(r rune) bool { return !unicode.IsLetter(r) }
	for w := range strings.FieldsFuncSeq(fillersZH.Replace(rest), isSeparator) {
		if !repeatingEN[w] && !changingEN[w] && !fillersEN[w] {
			return false, false
		}
		repeats, changes = repeats || repeatingEN[w], changes || changingEN[w]
	}
	return repeats, changes
}

// namesNothing reports whether the text only requests to repeat or change something.
func (in input) namesNothing() bool {
	repeats, changes := bareRequest(in.Text)
	return repeats || changes
}
