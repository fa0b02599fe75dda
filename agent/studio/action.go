package studio

// The actions that a user can request. They are the labels in replies and cases.
const (
	actionGenerateImage    = "generate_image"    // create a new image
	ActionInpainting       = "inpainting"        // change the area of an image that a mask marks
	ActionAdjustParameters = "adjust_parameters" // change a whole image, such as its brightness
	ActionUnknown          = "unknown"           // a request that is not about images
)

// parameterAdjustment is the name of ActionAdjustParameters in prompts and answers of profile V1.
const parameterAdjustment = "parameter_adjustment"

// Actions returns the four actions, with the fallback label ActionUnknown last.
func Actions() []string {
	return []string{actionGenerateImage, ActionInpainting, ActionAdjustParameters, ActionUnknown}
}

// nameV1 returns the name of an action in prompts and answers of profile V1.
func nameV1(action string) string {
	if action == ActionAdjustParameters {
		return parameterAdjustment
	}
	return action
}
