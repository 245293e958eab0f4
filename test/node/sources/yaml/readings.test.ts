/** The pages of readings: YAML of other kinds. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
