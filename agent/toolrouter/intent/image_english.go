package intent

// drawsInEnglish: draw, paint, generate, make … and a picture, or draw and
// paint with an object that can be drawn.
func (c *clause) drawsInEnglish() bool {
	if !c.has(enDraw | enMake) {
		return false
	}
	for i := c.next(0, enDraw|enMake); i < c.n; i = c.next(i+1, enDraw|enMake) {
		if c.before(i, howTo) {
			return false
		}
		if c.follows(i, enArticle) || c.follows(i, enStop) && !c.follows(i, opener) {
			continue // a sketch; a function to generate images
		}
		if c.objectIsPicture(i) || c.hits[i].is&enDraw != 0 && c.drawable(i) {
			return true
		}
	}
	return false
}

// objectIsPicture reads from the verb to the picture, as far as one object
// goes: «make a black and white photo», not «make sure the photo …».
func (c *clause) objectIsPicture(verb int) bool {
	i := c.next(verb+1, picture|enStop|enVague)
	if i == c.n || c.hits[i].is&picture == 0 {
		return false
	}
	return !c.touch(i+1, text)
}

// drawable tells whether the verb is asked for and its object no figure of
// speech: «draw me a cat», «paint sunsets», not «draw a hasty conclusion».
func (c *clause) drawable(verb int) bool {
	i := verb + 1
	if !c.touch(i, enMe) && !c.follows(verb, lead) && !c.opens(verb, opener|lead|can|with) {
		return false
	}
	for c.touch(i, enMe|enArticle|number|measure) {
		i++
	}
	if c.end(i-1)+2 > c.length || c.touch(i, enStop) {
		return false
	}
	i = c.next(i, enStop|enVague)
	return i == c.n || c.hits[i].is&enVague == 0
}
