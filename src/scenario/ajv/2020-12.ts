import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Compile, compilerOf } from "./compiler.ts";

export const compile: Compile = compilerOf((options) => new Ajv2020({ ...options, formats: fullFormats }));
