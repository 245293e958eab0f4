/** The pages of readings: compose files. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
