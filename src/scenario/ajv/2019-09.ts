import { Ajv2019 } from "ajv/dist/2019.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Compile, compilerOf } from "./compiler.ts";

export const compile: Compile = compilerOf((options) => new Ajv2019({ ...options, formats: fullFormats }));
