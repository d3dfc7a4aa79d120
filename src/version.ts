declare const __VERSION__: string;

/** Version of this program, put in place of the name by the bundler (and by vitest) from package.json. */
export const VERSION: string = __VERSION__;
