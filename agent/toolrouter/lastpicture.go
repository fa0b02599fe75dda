package toolrouter

import "regexp"

// What the words of talk about a picture are. Chinese and English stand in
// one expression because users mix them.
var (
	// pointsBack finds a picture that the agent made: 你画的图, 你生成的那张,
	// 刚才那张图 (of nobody else), 上一张图, an image you made, the last picture.
	pointsBack = regexp.MustCompile(`(?i)` +
		`你(?:刚才|刚刚|刚|之前|上次|前面)?(?:给我|帮我|为我)?(?:画|生成|做|制作|出)(?:好|出来)?的[那这]?一?[张幅个]?` + zhPicture +
		`|(?:^|[^我他她们])(?:刚才|刚刚|刚)(?:画|生成|做|制作|出)?(?:好|出来)?(?:的[那这]?|[那这])一?[张幅个]?` + zhPicture +
		`|上一?[张幅]` + zhPicture +
		`|\b` + enPicture + `\b.{0,24}\byou(?:'ve|’ve)? (?:have |had |just )?` + enMade + `\b` +
		`|\byou(?:'ve|’ve)? (?:have |had |just )?(?:drew|drawn|painted)\b` +
		`|\b(?:last|previous|latest) ` + enPicture + `\b`)

	// asks finds a question, or a wish to be told something.
	asks = regexp.MustCompile(`(?i)` +
		`[?？吗呢啥谁几哪]|什么|多少|为何|怎么|如何|描述|介绍|说说|说一下|讲|解释|看看|看一下|分析|形容|评|[起取]个?名` +
		`|\b(?:what|which|who|why|where|how|describe|explain|caption|title|name|tell me)`)

	// edits finds the wish for another picture, which is one to draw.
	edits = regexp.MustCompile(`(?i)` +
		`[改换删]|变成|重新|重[画做]|再[来画做出生加]|去掉|加[上个点些]|添|调[整亮暗成]|放大|缩小` +
		`|\b(?:turn|change|replace|remove|add|redo|again|another|instead|edit|swap|make it|into)\b`)
)

const (
	zhPicture = `(?:[图画张幅]|照片|海报|头像|壁纸|插画|logo|picture|image|photo|poster)`
	enPicture = `(?:picture|image|photo|drawing|painting|illustration|poster|logo|wallpaper)`
	enMade    = `(?:made|drew|drawn|generated|painted|created)`
)

// speaksOfLastPicture tells whether text asks about the picture that the agent
// made before. It wants three things at once: something asked, a picture that
// is pointed back to, and no wish to have it changed.
func speaksOfLastPicture(text string) bool {
	return pointsBack.MatchString(text) && asks.MatchString(text) && !edits.MatchString(text)
}
