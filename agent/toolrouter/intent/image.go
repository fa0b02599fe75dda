package intent

// imageRules are the eight groups of picture requests. Groups 1 to 4 name a verb
// and a measure word or a picture, and hold wherever they stand; 5 to 7 are
// wide, so the verb must also stand where a request has it.
func (c *clause) imageRules() ruleSet {
	if !c.has(drawn | generates | crafts | picture | enDraw | enMake) {
		return 0
	}
	return when(imageNeg1, c.then(recall, picture|drawn|generates)) | // 记得/想起/回忆 + 画/图/生成
		when(imageNeg2, c.then(earlier, drawn|generates)) | // 之前/上次/以前 + 画/绘/生成
		when(imageNeg3, c.then(unable, drawn|generates)) | // 不能/不会/无法 + 画/绘/生成
		when(image1, c.drawsMeasured()) | // 画/绘 + measure word
		when(image2, c.drawsForMe()) | // 给我画/帮我画/请画/来画
		when(image3, c.makesPicture(generate)) | // 生成 + 图/画
		when(image4, c.makesPicture(crafts)) | // 制作/创作 + 图/画/像
		when(image5, c.opensGenerating()) | // 生成 + at least 2 characters, no text
		when(image6, c.canGenerate()) | // 可以/能 + 生成 + at least 4 characters, no text
		when(image7, c.drawsThing()) | // 画/绘 + at least 2 characters, no chart
		when(image8, c.drawsInEnglish()) // draw/paint/generate an image
}

// drawsMeasured: 画张, 画一张, 绘三幅, 画我一张.
func (c *clause) drawsMeasured() bool {
	if !c.has(strokes) || !c.has(measure) {
		return false
	}
	for i := c.next(0, strokes); i < c.n; i = c.next(i+1, strokes) {
		j := i + 1
		if c.touch(j, person) {
			j++
		}
		if c.touch(j, number) {
			j++
		}
		if c.touch(j, measure) {
			return true
		}
	}
	return false
}

// drawsForMe: a lead, and 画 directly after it; 请你再画 has small words between.
func (c *clause) drawsForMe() bool {
	if !c.has(hua) || !c.has(lead) {
		return false
	}
	for i := c.next(0, hua); i < c.n; i = c.next(i+1, hua) {
		if c.reaches(i, lead, opener|tail) {
			return true
		}
	}
	return false
}

// makesPicture tells whether verb has a picture for its object. In 海报文案 or
// 图片的标题 the picture only says what the text is for.
func (c *clause) makesPicture(verb class) bool {
	if !c.then(verb, picture|chart) {
		return false
	}
	i := c.next(0, verb)
	for i = c.next(i+1, picture|chart); i < c.n; i = c.next(i+1, picture|chart) {
		head := i + 1
		if c.touch(head, of) {
			head++
		}
		if !c.touch(head, text) {
			return true
		}
	}
	return false
}

// opensGenerating: nothing but opening words before 生成.
func (c *clause) opensGenerating() bool {
	if !c.has(generate) {
		return false
	}
	i := c.next(0, generate)
	return c.opens(i, opener|lead) && c.next(i+1, text) == c.n && c.described(i, 2)
}

func (c *clause) canGenerate() bool {
	if !c.then(can, generate) {
		return false
	}
	i := c.next(c.next(0, can)+1, generate)
	return !c.before(i, howTo) && c.next(i+1, text) == c.n && c.described(i, 4)
}

// drawsThing: 画 opens the request or follows words like 帮, 用 and 给; after
// anything else it may be part of a noun, as in 玻璃画.
func (c *clause) drawsThing() bool {
	if !c.has(draws) {
		return false
	}
	i := c.next(0, draws)
	if c.before(i, howTo) || c.follows(i, person) {
		return false
	}
	asked := c.opens(i, opener|lead|can|with) || c.before(i, lead|with)
	return asked && c.next(i+1, chart) == c.n && !c.ownsText(i) && c.described(i, 2)
}

// ownsText tells whether what follows hit i belongs to a text: 爱心的代码.
func (c *clause) ownsText(i int) bool {
	for i = c.next(i+1, text); i < c.n; i = c.next(i+1, text) {
		if c.follows(i, of) {
			return true
		}
	}
	return false
}
