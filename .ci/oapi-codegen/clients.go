// Package clients names what generated clients import, so that go.mod and go.sum know it. .ci/run builds oapi-codegen
// here; the tests compile its clients, and those of openapi-generator, in a copy of this folder.
package clients

import (
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/types"
	_ "golang.org/x/oauth2"
	_ "gopkg.in/validator.v2"
)
