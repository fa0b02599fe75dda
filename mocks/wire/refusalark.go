package wire

import "evalctl/mocks/model"

func (c *Call) arkRefusal(why Reason) model.Refusal {
	r := model.Refusal{Status: 400, Type: "BadRequest", Code: "InvalidParameter", Message: "The request is invalid."}
	switch why {
	case NoKey:
		r.Status, r.Type, r.Code, r.Message = 401, "Unauthorized", "AuthenticationError", "The API key in the request is missing."
	case BadKey:
		r.Status, r.Type, r.Code, r.Message = 401, "Unauthorized", "AuthenticationError", "The API key format is incorrect."
	case NoBalance:
		r.Status, r.Type, r.Code, r.Message = 403, "Forbidden", "AccountOverdueError", "The request failed because your account has an overdue balance."
	case Denied:
		r.Status, r.Type, r.Code, r.Message = 403, "Forbidden", "AccessDenied", "The request is not allowed."
	case UnknownPath:
		r.Status, r.Type, r.Code, r.Message = 404, "NotFound", "NotFound", "The requested path does not exist."
	case UnknownModel:
		r.Status, r.Type, r.Code, r.Message = 404, "NotFound", "InvalidEndpointOrModel.NotFound", "The model or endpoint "+c.Model+" does not exist or you do not have access to it."
	case WrongMethod:
		r.Status, r.Type, r.Code, r.Message = 405, "MethodNotAllowed", "MethodNotAllowed", "The method is not allowed."
	case TooLarge:
		r.Status, r.Type, r.Message = 413, "RequestEntityTooLarge", "The request body is too large."
	case Blocked:
		r.Code, r.Message = "SensitiveContentDetected", "The request failed because the input may contain sensitive information."
	case RateLimited:
		r.Status, r.Type, r.Code, r.Message = 429, "TooManyRequests", "RateLimitExceeded.EndpointRPMExceeded", "The Requests Per Minute (RPM) limit of the associated endpoint for your account has been exceeded."
	case Broken:
		r.Status, r.Type, r.Code, r.Message = 500, "InternalServerError", "InternalServiceError", "The service encountered an unexpected internal error."
	case Overloaded:
		r.Status, r.Type, r.Code, r.Message = 429, "TooManyRequests", "ServerOverloaded", "The service is currently unable to handle additional requests due to server overload."
	case BadJSON:
		r.Message = "The request body is not valid JSON."
	}
	return r
}
