package wire

import "evalctl/mocks/model"

const badRequest = "invalid_request_error"

func (c *Call) openAIRefusal(reason ErrorReason) model.ErrorResponse {
	switch reason {
	case MissingAPIKey:
		return model.ErrorResponse{Status: 401, Type: badRequest,
			Message: "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."}
	case InvalidAPIKey:
		return model.ErrorResponse{
			Status: 401,
			Type:   badRequest,
			Code:   "invalid_api_key",
			Message: "Incorrect API key provided: " + maskKey(c.APIKey()) +
				". You can find your API key at https://platform.openai.com/account/api-keys.",
		}
	case NoBalance:
		return model.ErrorResponse{
			Status:  429,
			Type:    "insufficient_quota",
			Code:    "insufficient_quota",
			Message: "You exceeded your current quota, please check your plan and billing details.",
		}
	case PermissionDenied:
		return model.ErrorResponse{
			Status:  403,
			Type:    badRequest,
			Code:    "unsupported_country_region_territory",
			Message: "Country, region, or territory not supported",
		}
	case UnknownPath:
		return model.ErrorResponse{Status: 404, Type: badRequest,
			Message: "Invalid URL (" + c.Request.Method + " " + c.Request.URL.Path + ")"}
	case UnknownModel:
		return model.ErrorResponse{
			Status:  404,
			Type:    badRequest,
			Code:    "model_not_found",
			Message: "The model `" + c.Model + "` does not exist or you do not have access to it.",
		}
	case WrongMethod:
		return model.ErrorResponse{
			Status:  405,
			Type:    badRequest,
			Code:    "method_not_supported",
			Message: "Not allowed to " + c.Request.Method + " on " + c.Request.URL.Path + ".",
		}
	case BodyTooLarge:
		return model.ErrorResponse{Status: 413, Type: badRequest, Message: "Request body is larger than the limit."}
	case ContentBlocked:
		return model.ErrorResponse{
			Status:  400,
			Type:    badRequest,
			Code:    "content_policy_violation",
			Message: "Your request was rejected as a result of our safety system.",
		}
	case RateLimited:
		return model.ErrorResponse{
			Status: 429,
			Type:   "requests",
			Code:   "rate_limit_exceeded",
			Message: "Rate limit reached for " + c.Model +
				" in organization org-mock on requests per min (RPM): Limit 10000, Used 10000, Requested 1.",
		}
	case ServerError:
		return model.ErrorResponse{Status: 500, Type: "server_error",
			Message: "The server had an error while processing your request. Sorry about that!"}
	case Overloaded:
		return model.ErrorResponse{
			Status:  503,
			Type:    "service_unavailable_error",
			Code:    "server_is_overloaded",
			Message: "The engine is currently overloaded, please try again later.",
		}
	case BadJSON:
		return model.ErrorResponse{Status: 400, Type: badRequest,
			Message: "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)"}
	}
	return model.ErrorResponse{Status: 400, Type: badRequest, Message: "Invalid request."}
}

// deepSeekRefusal returns DeepSeek's error response for a reason. The code is always
// invalid_request_error.
func (c *Call) deepSeekRefusal(reason ErrorReason) model.ErrorResponse {
	r := model.ErrorResponse{
		Status:  400,
		Type:    badRequest,
		Code:    badRequest,
		Message: "Invalid request.",
	}
	switch reason {
	case MissingAPIKey:
		r.Status = 401
		r.Type = "authentication_error"
		r.Message = "Authentication Fails (auth header format should be Bearer sk-...)"
	case InvalidAPIKey:
		r.Status, r.Type, r.Message = 401, "authentication_error",
			"Authentication Fails, Your api key: "+maskKey(c.APIKey())+" is invalid"
	case NoBalance:
		r.Status = 402
		r.Type = "unknown_error"
		r.Message = "Insufficient Balance"
	case PermissionDenied:
		r.Status, r.Message = 403, "Forbidden"
	case UnknownPath:
		r.Status, r.Message = 404, "Not Found"
	case UnknownModel:
		r.Message = "The supported API model names are " + deepSeekNames + ", but you passed " + c.Model + "."
	case WrongMethod:
		r.Status, r.Message = 405, "Method Not Allowed"
	case BodyTooLarge:
		r.Status, r.Message = 413, "Request body is too large"
	case ContentBlocked:
		r.Message = "Content Exists Risk"
	case RateLimited:
		r.Status = 429
		r.Type = "rate_limit_error"
		r.Message = "Rate limit reached: too many concurrent requests"
	case ServerError:
		r.Status = 500
		r.Type = "server_error"
		r.Message = "Internal Server Error"
	case Overloaded:
		r.Status = 503
		r.Type = "service_unavailable_error"
		r.Message = "Service is too busy. We advise users to temporarily switch to alternative LLM API service providers."
	case BadJSON:
		r.Message = "Failed to parse the request body as JSON"
	}
	return r
}

// maskKey returns an API key with all but its last four characters masked.
func maskKey(key string) string {
	return "****" + key[max(0, len(key)-4):]
}
