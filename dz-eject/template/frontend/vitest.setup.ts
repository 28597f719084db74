import { configure } from "@testing-library/react";

// Tests also pass on a slow machine.
configure({ asyncUtilTimeout: 10_000 });
