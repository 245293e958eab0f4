/** The pages of readings: systemd units and drop-ins. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
