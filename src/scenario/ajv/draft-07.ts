import { Ajv } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Compile, compilerOf } from "./compiler.ts";

export const compile: Compile = compilerOf((options) => new Ajv({ ...options, formats: fullFormats }));
